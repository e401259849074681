"""Two-dimensional convolution, max pooling, ReLU: the PyTorch reference."""
import torch.nn.functional as F


def fused_relu_max_pool2d_conv2d(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """relu(max_pool2d(conv2d(input)))."""
    convolved = F.conv2d(input, weight, bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    pooled = F.max_pool2d(convolved, pool_kernel_size, pool_stride, pool_padding, pool_dilation, pool_ceil_mode)
    return F.relu(pooled, inplace=inplace)


def magnitude(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """The largest sum of absolute values of the terms in each window: what the maximum may be off by."""
    bias = None if bias is None else bias.abs()
    convolved = F.conv2d(input.abs(), weight.abs(), bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    convolved = convolved.masked_fill(convolved.isinf(), 0)  # an infinity is exact, the rest of its window is not
    return F.max_pool2d(convolved, pool_kernel_size, pool_stride, pool_padding, pool_dilation, pool_ceil_mode)
