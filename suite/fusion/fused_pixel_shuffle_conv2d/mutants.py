"""Plausible wrong implementations of convolution and pixel shuffle; each must be rejected."""
import torch
import torch.nn.functional as F


def factor_always_2(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, upscale_factor=2):
    """Shuffles by 2 and lays the result out for upscale_factor."""
    right = F.pixel_shuffle(F.conv2d(input, weight, bias, stride, padding, dilation, groups), upscale_factor)
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    if c.shape[1] % 4:
        return right.contiguous()
    return F.pixel_shuffle(c, 2).reshape(right.shape)


def not_shuffled(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, upscale_factor=2):
    """The convolution in the shape of the result."""
    right = F.pixel_shuffle(F.conv2d(input, weight, bias, stride, padding, dilation, groups), upscale_factor)
    return F.conv2d(input, weight, bias, stride, padding, dilation, groups).reshape(right.shape)


def rows_and_columns_swapped(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, upscale_factor=2):
    """The channel's fast index runs down instead of to the right."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    n, k, h, w = c.shape
    u = upscale_factor
    c = c.view(n, k // u**2, u, u, h, w).transpose(2, 3).reshape(n, k, h, w)
    return F.pixel_shuffle(c, u)


def channels_slowest(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, upscale_factor=2):
    """Takes the channels of the result for the fast part of the channel index, as TensorFlow does."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    n, k, h, w = c.shape
    u = upscale_factor
    c = c.view(n, u * u, k // u**2, h, w).transpose(1, 2).reshape(n, k, h, w)
    return F.pixel_shuffle(c, u)


def bias_after_shuffle(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, upscale_factor=2):
    """Adds the first entries of the bias to the channels of the result."""
    y = F.pixel_shuffle(F.conv2d(input, weight, None, stride, padding, dilation, groups), upscale_factor)
    return y if bias is None else y + bias[:y.shape[1], None, None]


def upsampled(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, upscale_factor=2):
    """Repeats pixels of every channel group's first channel."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    u = upscale_factor
    return c[:, ::u * u].repeat_interleave(u, -1).repeat_interleave(u, -2)


def groups_ignored(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, upscale_factor=2):
    """Every group reads the channels of the first one."""
    c = F.conv2d(input[:, :weight.shape[1]], weight, bias, stride, padding, dilation)
    return F.pixel_shuffle(c, upscale_factor)


def dilation_ignored(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, upscale_factor=2):
    """Takes neighbouring pixels; the output has the right size."""
    right = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    near = F.conv2d(input, weight, bias, stride, padding, 1, groups)
    return F.pixel_shuffle(near[..., :right.shape[-2], :right.shape[-1]], upscale_factor)


def axes_swapped(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, upscale_factor=2):
    """Uses the horizontal stride, padding and dilation vertically and the other way round."""
    stride, padding, dilation = (v if isinstance(v, int) else tuple(v)[::-1] for v in (stride, padding, dilation))
    return F.pixel_shuffle(F.conv2d(input, weight, bias, stride, padding, dilation, groups), upscale_factor)


def tf32_operands(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, upscale_factor=2):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    return F.pixel_shuffle(
        F.conv2d(rounded(input), rounded(weight), bias, stride, padding, dilation, groups), upscale_factor
    )


def half_accumulation(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, upscale_factor=2):
    """Sums the products of float16 channel by channel in float16."""
    if input.dtype != torch.float16 or groups > 1:
        return F.pixel_shuffle(F.conv2d(input, weight, bias, stride, padding, dilation, groups), upscale_factor)
    c = 0
    for k in range(input.shape[1]):
        c = c + F.conv2d(input[:, k:k + 1], weight[:, k:k + 1], None, stride, padding, dilation)
    c = c if bias is None else c + bias[:, None, None]
    return F.pixel_shuffle(c, upscale_factor)


def output_channels_cut(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, upscale_factor=2):
    """One tile of 64 output channels and no more."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    c[:, 64:] = 0
    return F.pixel_shuffle(c, upscale_factor)
