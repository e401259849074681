"""Plausible wrong implementations of convolution and leaky ReLU; each must be rejected."""
import torch
import torch.nn.functional as F


def no_activation(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """The convolution alone."""
    return F.conv2d(input, weight, bias, stride, padding, dilation, groups)


def plain_relu(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False):
    """Cuts negative numbers off."""
    return F.relu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))


def slope_ignored(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """The slope is always 0.01."""
    return F.leaky_relu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))


def larger_of_two(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """Takes max(c, slope * c), which is right only for slopes from 0 to 1."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return torch.maximum(c, negative_slope * c)


def activation_first(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """Leaky ReLU of the input instead of the result."""
    x = F.leaky_relu(input, negative_slope)
    return F.conv2d(x, weight, bias, stride, padding, dilation, groups)


def bias_after_activation(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """Adds the bias to what leaky ReLU leaves."""
    y = F.leaky_relu(F.conv2d(input, weight, None, stride, padding, dilation, groups), negative_slope)
    return y if bias is None else y + bias[:, None, None]


def exponential(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """ELU instead of leaky ReLU."""
    return F.elu(F.conv2d(input, weight, bias, stride, padding, dilation, groups), negative_slope)


def input_overwritten(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """Takes inplace for a permission to write into the input."""
    y = F.leaky_relu(F.conv2d(input, weight, bias, stride, padding, dilation, groups), negative_slope)
    if inplace:
        F.leaky_relu_(input, negative_slope)
    return y


def groups_ignored(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """Every group reads the channels of the first one."""
    c = F.conv2d(input[:, :weight.shape[1]], weight, bias, stride, padding, dilation)
    return F.leaky_relu(c, negative_slope)


def dilation_ignored(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """Takes neighbouring pixels; the output has the right size."""
    right = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    near = F.conv2d(input, weight, bias, stride, padding, 1, groups)
    return F.leaky_relu(near[..., :right.shape[-2], :right.shape[-1]], negative_slope).contiguous()


def axes_swapped(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """Uses the horizontal stride, padding and dilation vertically and the other way round."""
    stride, padding, dilation = (v if isinstance(v, int) else tuple(v)[::-1] for v in (stride, padding, dilation))
    return F.leaky_relu(F.conv2d(input, weight, bias, stride, padding, dilation, groups), negative_slope)


def tf32_operands(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    return F.leaky_relu(
        F.conv2d(rounded(input), rounded(weight), bias, stride, padding, dilation, groups), negative_slope
    )


def half_accumulation(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """Sums the products of float16 channel by channel in float16."""
    if input.dtype != torch.float16 or groups > 1:
        return F.leaky_relu(F.conv2d(input, weight, bias, stride, padding, dilation, groups), negative_slope)
    c = 0
    for k in range(input.shape[1]):
        c = c + F.conv2d(input[:, k:k + 1], weight[:, k:k + 1], None, stride, padding, dilation)
    c = c if bias is None else c + bias[:, None, None]
    return F.leaky_relu(c, negative_slope)


def output_channels_cut(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, negative_slope=0.01, inplace=False
):
    """One tile of 64 output channels and no more."""
    y = F.leaky_relu(F.conv2d(input, weight, bias, stride, padding, dilation, groups), negative_slope)
    y[:, 64:] = 0
    return y
