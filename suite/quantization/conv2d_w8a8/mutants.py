"""Wrong versions of conv2d_w8a8, one fault each."""
import torch
import torch.nn.functional as F


def _quantize(x, dims=(1, 2, 3), top=127, rounding=torch.round, guard=True):
    scale = x.abs().amax(dims, keepdim=True) / top
    return rounding(x / (torch.where(scale > 0, scale, 1) if guard else scale)).clamp(-top, top) * scale


def _conv(x, w, bias, stride, padding):
    y = F.conv2d(x.double(), w.double(), None, stride, padding).float()
    return y if bias is None else y + bias.view(1, -1, 1, 1)


def _tf32(x):
    return ((x.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def plain_float(input, weight, bias=None, stride=1, padding=0):
    """The float convolution without quantization."""
    return _conv(input, weight, bias, stride, padding)


def bfloat16(input, weight, bias=None, stride=1, padding=0):
    """bfloat16 operands instead of int8."""
    return _conv(input.bfloat16(), weight.bfloat16(), bias, stride, padding)


def tf32(input, weight, bias=None, stride=1, padding=0):
    """TF32 operands (ten bits behind the point) instead of int8."""
    return _conv(_tf32(input), _tf32(weight), bias, stride, padding)


def float8(input, weight, bias=None, stride=1, padding=0):
    """float8 (e4m3) operands with the right scales instead of int8."""
    def rounded(x):
        scale = x.abs().amax((1, 2, 3), keepdim=True) / 448
        scale = torch.where(scale > 0, scale, 1)
        return (x / scale).to(torch.float8_e4m3fn).to(x.dtype) * scale
    return _conv(rounded(input), rounded(weight), bias, stride, padding)


def one_scale_for_all_images(input, weight, bias=None, stride=1, padding=0):
    """One input scale for the whole batch instead of one per image."""
    return _conv(_quantize(input, (0, 1, 2, 3)), _quantize(weight), bias, stride, padding)


def one_scale_for_the_weight(input, weight, bias=None, stride=1, padding=0):
    """One weight scale for all output channels."""
    return _conv(_quantize(input), _quantize(weight, (0, 1, 2, 3)), bias, stride, padding)


def scale_per_input_channel(input, weight, bias=None, stride=1, padding=0):
    """Weight scales per input channel instead of per output channel."""
    return _conv(_quantize(input), _quantize(weight, (0, 2, 3)), bias, stride, padding)


def seven_bits(input, weight, bias=None, stride=1, padding=0):
    """Only 7 bits: integers in [-63, 63]."""
    return _conv(_quantize(input, top=63), _quantize(weight, top=63), bias, stride, padding)


def truncates(input, weight, bias=None, stride=1, padding=0):
    """Integers are truncated toward zero instead of rounded."""
    return _conv(_quantize(input, rounding=torch.trunc), _quantize(weight, rounding=torch.trunc), bias, stride, padding)


def only_the_weight(input, weight, bias=None, stride=1, padding=0):
    """The input stays in float."""
    return _conv(input, _quantize(weight), bias, stride, padding)


def ignores_bias(input, weight, bias=None, stride=1, padding=0):
    """The bias is never added."""
    return _conv(_quantize(input), _quantize(weight), None, stride, padding)


def flips_the_kernel(input, weight, bias=None, stride=1, padding=0):
    """True convolution: the kernel is turned by 180 degrees."""
    return _conv(_quantize(input), _quantize(weight).flip(2, 3), bias, stride, padding)


def swaps_the_pairs(input, weight, bias=None, stride=1, padding=0):
    """Horizontal and vertical stride and padding are exchanged."""
    stride = stride if isinstance(stride, int) else tuple(reversed(stride))
    padding = padding if isinstance(padding, int) else tuple(reversed(padding))
    return _conv(_quantize(input), _quantize(weight), bias, stride, padding)


def pads_with_the_border(input, weight, bias=None, stride=1, padding=0):
    """Padding repeats the border instead of zeros."""
    h, w = (padding, padding) if isinstance(padding, int) else padding
    return _conv(F.pad(_quantize(input), (w, w, h, h), mode="replicate"), _quantize(weight), bias, stride, 0)


def divides_by_zero(input, weight, bias=None, stride=1, padding=0):
    """No guard against images or kernels of zeros."""
    return _conv(_quantize(input, guard=False), _quantize(weight, guard=False), bias, stride, padding)


def stops_at_65536(input, weight, bias=None, stride=1, padding=0):
    """Computes 65536 elements of the result and leaves the rest 0."""
    y = _conv(_quantize(input), _quantize(weight), bias, stride, padding)
    y = y.contiguous().clone()
    y.view(-1)[65536:] = 0
    return y
