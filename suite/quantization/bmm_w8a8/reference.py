"""Reference of bmm_w8a8: the float product, and the int8 scheme simulated exactly."""
import torch


def bmm_w8a8(input, mat2):
    return torch.bmm(input, mat2)


def _quantize(x, dim):
    """Symmetric int8 along `dim`: integers (as floats, their sums are exact in float64) and scales."""
    scale = x.abs().amax(dim, keepdim=True) / 127
    return torch.round(x / torch.where(scale > 0, scale, 1)).clamp(-127, 127), scale


def scheme(input, mat2):
    q, s = _quantize(input, 2)
    w, t = _quantize(mat2, 1)
    return torch.bmm(q, w) * s * t
