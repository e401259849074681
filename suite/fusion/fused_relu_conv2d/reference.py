"""Two-dimensional convolution, then ReLU: the PyTorch reference."""
import torch.nn.functional as F


def fused_relu_conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """relu(conv2d(input))."""
    return F.relu(F.conv2d(input, weight, bias, stride, padding, dilation, groups), inplace=inplace)


def magnitude(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """The sum of the absolute values of the terms of each output; ReLU is exact at the infinities."""
    bias = None if bias is None else bias.abs()
    terms = F.conv2d(input.abs(), weight.abs(), bias, stride, padding, dilation, groups)
    return terms.masked_fill(terms.isinf(), 0)
