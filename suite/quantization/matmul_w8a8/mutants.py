"""Wrong versions of matmul_w8a8, one fault each."""
import torch


def _quantize(x, dim, top=127, rounding=torch.round):
    scale = (x.abs().amax() if dim is None else x.abs().amax(dim, keepdim=True)) / top
    return rounding(x / torch.where(scale > 0, scale, 1)).clamp(-top, top), scale


def _product(q, s, w, t):
    return ((q.double() @ w.double()) * s * t).float()


def _tf32(x):
    return ((x.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def plain_float(input, weight):
    """No quantization at all."""
    return input @ weight


def half_precision(input, weight):
    """float16 operands instead of int8."""
    return (input.half().float() @ weight.half().float())


def bfloat16(input, weight):
    """bfloat16 operands instead of int8."""
    return (input.bfloat16().float() @ weight.bfloat16().float())


def tf32(input, weight):
    """TF32 operands (ten bits behind the point) instead of int8."""
    return (_tf32(input).double() @ _tf32(weight).double()).float()


def float8(input, weight):
    """float8 (e4m3) operands with the right scales instead of int8."""
    def rounded(x, dim):
        scale = x.abs().amax(dim, keepdim=True) / 448
        scale = torch.where(scale > 0, scale, 1)
        return (x / scale).to(torch.float8_e4m3fn).to(x.dtype) * scale
    return rounded(input, 1) @ rounded(weight, 0)


def seven_bits(input, weight):
    """Only 7 bits: integers in [-63, 63]."""
    return _product(*_quantize(input, 1, 63), *_quantize(weight, 0, 63))


def per_tensor_scales(input, weight):
    """One scale for each whole matrix."""
    return _product(*_quantize(input, None), *_quantize(weight, None))


def scales_along_the_wrong_dimension(input, weight):
    """Scales per column of input and per row of weight, applied before the sum."""
    q, s = _quantize(input, 0)
    w, t = _quantize(weight, 1)
    return (q * s) @ (w * t)


def truncates(input, weight):
    """Integers are truncated toward zero instead of rounded."""
    return _product(*_quantize(input, 1, rounding=torch.trunc), *_quantize(weight, 0, rounding=torch.trunc))


def only_the_weight(input, weight):
    """Activations stay in float; only the weight is quantized."""
    w, t = _quantize(weight, 0)
    return (input @ w) * t


def wraps_in_int8(input, weight):
    """Scales are absmax / 128, so the largest value becomes 128 and wraps around to -128."""
    def wrapped(x, dim):
        scale = x.abs().amax(dim, keepdim=True) / 128
        return torch.round(x / torch.where(scale > 0, scale, 1)).to(torch.int16).to(torch.int8).float(), scale
    return _product(*wrapped(input, 1), *wrapped(weight, 0))


def accumulates_in_int16(input, weight):
    """Sums overflow in 16 bits."""
    q, s = _quantize(input, 1)
    w, t = _quantize(weight, 0)
    sums = (q.double() @ w.double()).to(torch.int64).to(torch.int16)
    return sums.float() * s * t


def divides_by_zero(input, weight):
    """No guard against rows or columns of zeros."""
    s, t = input.abs().amax(1, keepdim=True) / 127, weight.abs().amax(0, keepdim=True) / 127
    return _product(torch.round(input / s), s, torch.round(weight / t), t)


def stops_at_65536(input, weight):
    """Computes 65536 elements of the result and leaves the rest 0."""
    y = _product(*_quantize(input, 1), *_quantize(weight, 0))
    y = y.contiguous().clone()
    y.view(-1)[65536:] = 0
    return y
