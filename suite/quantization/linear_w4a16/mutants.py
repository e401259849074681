"""Wrong versions of linear_w4a16, one fault each."""
import torch
import torch.nn.functional as F


def _quantized(weight, group=64, top=7, rounding=torch.round, guard=True):
    """weight after quantization in groups along K, as float32."""
    n, k = weight.shape
    groups = F.pad(weight.float(), (0, -k % group)).reshape(n, -1, group)
    scale = groups.abs().amax(2, keepdim=True) / top
    q = rounding(groups / (torch.where(scale > 0, scale, 1) if guard else scale)).clamp(-top - 1, top)
    return (q * scale).reshape(n, -1)[:, :k]


def _linear(input, weight, bias):
    return F.linear(input.float(), weight, None if bias is None else bias.float()).half()


def plain_half(input, weight, bias=None):
    """No quantization: the float16 layer."""
    return _linear(input, weight.float(), bias)


def eight_bits(input, weight, bias=None):
    """int8 weights instead of int4."""
    return _linear(input, _quantized(weight, top=127), bias)


def five_bits(input, weight, bias=None):
    """int5 weights instead of int4: integers in [-16, 15]."""
    return _linear(input, _quantized(weight, top=15), bias)


def three_bits(input, weight, bias=None):
    """Only 3 bits: integers in [-4, 3]."""
    return _linear(input, _quantized(weight, top=3), bias)


def one_scale_per_row(input, weight, bias=None):
    """One scale for a whole row of the weight instead of one per group of 64."""
    return _linear(input, _quantized(weight, group=weight.shape[1]), bias)


def groups_of_32(input, weight, bias=None):
    """Groups of 32 instead of 64."""
    return _linear(input, _quantized(weight, group=32), bias)


def groups_across_rows(input, weight, bias=None):
    """Groups run over 64 output features instead of 64 input features."""
    return _linear(input, _quantized(weight.T).T, bias)


def scale_uses_eight(input, weight, bias=None):
    """The scale is max |w| / 8, so the largest positive weight is cut to 7/8."""
    n, k = weight.shape
    groups = F.pad(weight.float(), (0, -k % 64)).reshape(n, -1, 64)
    scale = groups.abs().amax(2, keepdim=True) / 8
    q = torch.round(groups / torch.where(scale > 0, scale, 1)).clamp(-8, 7)
    return _linear(input, (q * scale).reshape(n, -1)[:, :k], bias)


def asymmetric_range(input, weight, bias=None):
    """16 levels between minimum and maximum of the group, with a zero point."""
    n, k = weight.shape
    groups = F.pad(weight.float(), (0, -k % 64)).reshape(n, -1, 64)
    low, high = groups.amin(2, keepdim=True), groups.amax(2, keepdim=True)
    scale = (high - low).clamp(min=1e-8) / 15
    return _linear(input, (torch.round((groups - low) / scale) * scale + low).reshape(n, -1)[:, :k], bias)


def truncates(input, weight, bias=None):
    """Integers are truncated toward zero instead of rounded."""
    return _linear(input, _quantized(weight, rounding=torch.trunc), bias)


def ignores_bias(input, weight, bias=None):
    """The bias is never added."""
    return _linear(input, _quantized(weight), None)


def divides_by_zero(input, weight, bias=None):
    """No guard against groups of zeros."""
    return _linear(input, _quantized(weight, guard=False), bias)


def stops_at_65536(input, weight, bias=None):
    """Computes 65536 elements of the result and leaves the rest 0."""
    y = _linear(input, _quantized(weight), bias)
    y = y.contiguous().clone()
    y.view(-1)[65536:] = 0
    return y
