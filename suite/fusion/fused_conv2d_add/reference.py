"""Two-dimensional convolution plus a multiple of another tensor: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_conv2d_add(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """conv2d(input) + alpha * other."""
    result = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    if other is not None:
        result = torch.add(result, other, alpha=alpha)
    return result if out is None else out.copy_(result)


def magnitude(input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None):
    """The sum of the absolute values of the terms of each output."""
    bias = None if bias is None else bias.abs()
    total = F.conv2d(input.abs(), weight.abs(), bias, stride, padding, dilation, groups)
    return total if other is None else total + abs(alpha * other)
