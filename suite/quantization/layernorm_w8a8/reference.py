"""Reference of layernorm_w8a8: float layer normalization, and the int8 scheme simulated exactly."""
import torch
import torch.nn.functional as F


def layernorm_w8a8(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    return F.layer_norm(input, normalized_shape, weight, bias, eps)


def _quantize(x, dims):
    """x after symmetric int8 with one scale over `dims`."""
    scale = x.abs().amax(dims, keepdim=True) / 127
    return torch.round(x / torch.where(scale > 0, scale, 1)).clamp(-127, 127) * scale


def scheme(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    row_dims = list(range(-len(normalized_shape), 0))
    y = _quantize(F.layer_norm(input, normalized_shape, None, None, eps), row_dims)
    y = y if weight is None else y * _quantize(weight, row_dims)
    return y if bias is None else y + bias
