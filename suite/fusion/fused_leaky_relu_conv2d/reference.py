"""Two-dimensional convolution, then leaky ReLU: the PyTorch reference."""
import torch.nn.functional as F


def fused_leaky_relu_conv2d(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """leaky_relu(conv2d(input))."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return F.leaky_relu(c, negative_slope, inplace=inplace)


def magnitude(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """The sum of the absolute values of the terms of each output, times the steepest slope."""
    bias = None if bias is None else bias.abs()
    return F.conv2d(input.abs(), weight.abs(), bias, stride, padding, dilation, groups) * max(1, abs(negative_slope))
