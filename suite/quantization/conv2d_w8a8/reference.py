"""Reference of conv2d_w8a8: the float convolution, and the int8 scheme simulated exactly."""
import torch
import torch.nn.functional as F


def conv2d_w8a8(input, weight, bias=None, stride=1, padding=0):
    return F.conv2d(input, weight, bias, stride, padding)


def _quantize(x):
    """Symmetric int8 with one scale per index of the first dimension: integers (as floats) and scales."""
    scale = x.abs().amax((1, 2, 3), keepdim=True) / 127
    return torch.round(x / torch.where(scale > 0, scale, 1)).clamp(-127, 127), scale


def scheme(input, weight, bias=None, stride=1, padding=0):
    q, s = _quantize(input)
    w, t = _quantize(weight)
    y = F.conv2d(q, w, None, stride, padding) * s * t.view(1, -1, 1, 1)
    return y if bias is None else y + bias.view(1, -1, 1, 1)
