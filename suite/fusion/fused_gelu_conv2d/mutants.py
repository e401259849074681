"""Plausible wrong implementations of convolution and GELU; each must be rejected."""
import torch
import torch.nn.functional as F


def _finish(c, approximate, out):
    """What is right after the convolution."""
    y = F.gelu(c, approximate=approximate)
    return y if out is None else out.copy_(y)


def no_activation(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None):
    """The convolution alone."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return c if out is None else out.copy_(c)


def always_exact(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None):
    """Ignores approximate."""
    return _finish(F.conv2d(input, weight, bias, stride, padding, dilation, groups), "none", out)


def always_tanh(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None):
    """Takes the tanh form for the exact one."""
    return _finish(F.conv2d(input, weight, bias, stride, padding, dilation, groups), "tanh", out)


def sigmoid_form(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None):
    """Takes c * sigmoid(1.702 c) for both."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    c = c * torch.sigmoid(1.702 * c)
    return c if out is None else out.copy_(c)


def linear_half_missing(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None
):
    """Computes c * erf(c / sqrt(2)) / 2: the term c / 2 is missing."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    y = F.gelu(c, approximate=approximate) - c / 2
    return y if out is None else out.copy_(y)


def activation_first(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None):
    """GELU of the input instead of the result."""
    x = F.gelu(input, approximate=approximate)
    c = F.conv2d(x, weight, bias, stride, padding, dilation, groups)
    return c if out is None else out.copy_(c)


def bias_after_activation(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None
):
    """Adds the bias to what GELU leaves."""
    c = F.conv2d(input, weight, None, stride, padding, dilation, groups)
    y = F.gelu(c, approximate=approximate)
    y = y if bias is None else y + bias[:, None, None]
    return y if out is None else out.copy_(y)


def out_ignored(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None):
    """Returns a new tensor and leaves out as it was."""
    return _finish(F.conv2d(input, weight, bias, stride, padding, dilation, groups), approximate, None)


def same_pads_larger_half_first(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None
):
    """'same' with an even kernel puts the larger half before the image."""
    if padding == "same":
        vertical, horizontal = (dilation, dilation) if isinstance(dilation, int) else dilation
        rows, columns = vertical * (weight.shape[2] - 1), horizontal * (weight.shape[3] - 1)
        input, padding = F.pad(input, (columns - columns // 2, columns // 2, rows - rows // 2, rows // 2)), 0
    return _finish(F.conv2d(input, weight, bias, stride, padding, dilation, groups), approximate, out)


def groups_ignored(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None):
    """Every group reads the channels of the first one."""
    return _finish(F.conv2d(input[:, :weight.shape[1]], weight, bias, stride, padding, dilation), approximate, out)


def dilation_ignored(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None):
    """Takes neighbouring pixels; the output has the right size."""
    right = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    near = F.conv2d(input, weight, bias, stride, padding, 1, groups)
    return _finish(near[..., :right.shape[-2], :right.shape[-1]].contiguous(), approximate, out)


def tf32_operands(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    return _finish(F.conv2d(rounded(input), rounded(weight), bias, stride, padding, dilation, groups), approximate, out)


def half_accumulation(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None
):
    """Sums the products of float16 channel by channel in float16."""
    if input.dtype != torch.float16 or groups > 1:
        return _finish(F.conv2d(input, weight, bias, stride, padding, dilation, groups), approximate, out)
    c = 0
    for k in range(input.shape[1]):
        c = c + F.conv2d(input[:, k:k + 1], weight[:, k:k + 1], None, stride, padding, dilation)
    c = c if bias is None else c + bias[:, None, None]
    return _finish(c, approximate, out)


def output_channels_cut(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, approximate="none", out=None
):
    """One tile of 64 output channels and no more."""
    y = _finish(F.conv2d(input, weight, bias, stride, padding, dilation, groups), approximate, out)
    y[:, 64:] = 0
    return y
