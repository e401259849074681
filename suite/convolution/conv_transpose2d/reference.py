"""Two-dimensional transposed convolution: the PyTorch reference."""
import torch.nn.functional as F


def conv_transpose2d(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """torch's conv_transpose2d."""
    return F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)


def magnitude(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The sum of the absolute values of the terms of each output."""
    bias = None if bias is None else bias.abs()
    return conv_transpose2d(input.abs(), weight.abs(), bias, stride, padding, output_padding, groups, dilation)
