"""Wrong versions of layernorm_w8a8, one fault each."""
import torch
import torch.nn.functional as F


def _quantize(x, dims, top=127, rounding=torch.round, guard=True):
    scale = (x.abs().amax() if dims is None else x.abs().amax(dims, keepdim=True)) / top
    return rounding(x / (torch.where(scale > 0, scale, 1) if guard else scale)).clamp(-top, top) * scale


def _rows(normalized_shape):
    return list(range(-len(normalized_shape), 0))


def _affine(y, weight, bias, quantize=lambda w: _quantize(w, None)):
    y = y if weight is None else y * quantize(weight)
    return y if bias is None else y + bias


def _norm(input, normalized_shape, eps):
    return F.layer_norm(input, normalized_shape, None, None, eps)


def _tf32(x):
    return ((x.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def plain_float(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """Float layer normalization without quantization."""
    return F.layer_norm(input, normalized_shape, weight, bias, eps)


def bfloat16(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """Normalized rows and weight are rounded to bfloat16 instead of int8."""
    return _affine(_norm(input, normalized_shape, eps).bfloat16().float(), weight, bias, lambda w: w.bfloat16().float())


def tf32(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """TF32 operands (ten bits behind the point) instead of int8."""
    return _affine(_tf32(_norm(input, normalized_shape, eps)), weight, bias, _tf32)


def float8(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """Rows and weight in float8 (e4m3) with the right scales instead of int8."""
    def rounded(x, dims=None):
        scale = (x.abs().amax() if dims is None else x.abs().amax(dims, keepdim=True)) / 448
        return (x / torch.where(scale > 0, scale, 1)).to(torch.float8_e4m3fn).to(x.dtype) * scale
    return _affine(rounded(_norm(input, normalized_shape, eps), _rows(normalized_shape)), weight, bias, rounded)


def quantizes_the_input(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """int8 is applied to the input before normalization instead of to the normalized rows."""
    rows = _rows(normalized_shape)
    return _affine(_norm(_quantize(input, rows), normalized_shape, eps), weight, bias)


def one_scale_for_all_rows(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """One scale for the whole tensor instead of one per row."""
    return _affine(_quantize(_norm(input, normalized_shape, eps), None), weight, bias)


def seven_bits(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """Only 7 bits: integers in [-63, 63]."""
    rows = _rows(normalized_shape)
    y = _quantize(_norm(input, normalized_shape, eps), rows, 63)
    return _affine(y, weight, bias, lambda w: _quantize(w, None, 63))


def truncates(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """Integers are truncated toward zero instead of rounded."""
    rows = _rows(normalized_shape)
    y = _quantize(_norm(input, normalized_shape, eps), rows, rounding=torch.trunc)
    return _affine(y, weight, bias, lambda w: _quantize(w, None, rounding=torch.trunc))


def float_weight(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """The weight is not quantized."""
    return _affine(_quantize(_norm(input, normalized_shape, eps), _rows(normalized_shape)), weight, bias, lambda w: w)


def quantizes_only_the_result(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """The finished result is quantized per row instead of its parts."""
    return _quantize(F.layer_norm(input, normalized_shape, weight, bias, eps), _rows(normalized_shape))


def unbiased_variance(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """The variance is divided by n - 1."""
    rows = _rows(normalized_shape)
    x = (input - input.mean(rows, keepdim=True)) / torch.sqrt(input.var(rows, keepdim=True, unbiased=True) + eps)
    return _affine(_quantize(x, rows), weight, bias)


def single_pass_variance(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """The variance is E[x^2] - E[x]^2 in float32, which cancels when the mean is large."""
    rows = _rows(normalized_shape)
    mean = input.mean(rows, keepdim=True)
    var = ((input * input).mean(rows, keepdim=True) - mean * mean).clamp(min=0)
    return _affine(_quantize((input - mean) / torch.sqrt(var + eps), rows), weight, bias)


def ignores_eps(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """eps is always 1e-5."""
    return _affine(_quantize(_norm(input, normalized_shape, 1e-5), _rows(normalized_shape)), weight, bias)


def last_dimension_only(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """Rows are always the last dimension, whatever normalized_shape says."""
    return _affine(_quantize(_norm(input, normalized_shape[-1:], eps), -1), weight, bias)


def divides_by_zero(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """No guard against a row of zeros."""
    return _affine(_quantize(_norm(input, normalized_shape, eps), _rows(normalized_shape), guard=False), weight, bias)


def stops_at_65536(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    """Computes 65536 elements of the result and leaves the rest 0."""
    y = _affine(_quantize(_norm(input, normalized_shape, eps), _rows(normalized_shape)), weight, bias)
    y = y.contiguous().clone()
    y.view(-1)[65536:] = 0
    return y
