"""Two-dimensional convolution, then GELU: the PyTorch reference."""
import torch.nn.functional as F


def fused_gelu_conv2d(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None
):
    """gelu(conv2d(input))."""
    y = F.gelu(F.conv2d(input, weight, bias, stride, padding, dilation, groups), approximate=approximate)
    return y if out is None else out.copy_(y)


def magnitude(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None
):
    """The sum of the absolute values of the terms of each output; the slope of GELU is at most 1.13."""
    bias = None if bias is None else bias.abs()
    return 1.13 * F.conv2d(input.abs(), weight.abs(), bias, stride, padding, dilation, groups)
