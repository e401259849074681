"""Plausible wrong implementations of two-dimensional convolution; each must be rejected."""
import torch
import torch.nn.functional as F


def bias_ignored(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Never adds the bias."""
    return F.conv2d(input, weight, None, stride, padding, dilation, groups)


def groups_ignored(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Every group reads the channels of the first one."""
    channels = weight.shape[1]
    first = input.narrow(input.dim() - 3, 0, channels)
    return F.conv2d(first, weight, bias, stride, padding, dilation)


def dilation_ignored(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Takes neighbouring pixels; the output has the right size."""
    right = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    near = F.conv2d(input, weight, bias, stride, padding, 1, groups)
    near = F.pad(near, (0, max(right.shape[-1] - near.shape[-1], 0), 0, max(right.shape[-2] - near.shape[-2], 0)))
    return near[..., :right.shape[-2], :right.shape[-1]].contiguous()


def kernel_flipped(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """A true convolution: the kernel is mirrored."""
    return F.conv2d(input, weight.flip(-1, -2), bias, stride, padding, dilation, groups)


def axes_swapped(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Uses the horizontal stride, padding and dilation vertically and the other way round."""
    def swap(value):
        return value if isinstance(value, (int, str)) else tuple(value)[::-1]
    return F.conv2d(input, weight, bias, swap(stride), swap(padding), swap(dilation), groups)


def pads_after_only(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """All padding is put below and to the right."""
    if isinstance(padding, str):
        return F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    vertical, horizontal = (padding, padding) if isinstance(padding, int) else padding
    return F.conv2d(F.pad(input, (0, 2 * horizontal, 0, 2 * vertical)), weight, bias, stride, 0, dilation, groups)


def same_pads_larger_half_first(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """'same' with an even kernel puts the larger half before the image."""
    if padding != "same":
        return F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    vertical, horizontal = (dilation, dilation) if isinstance(dilation, int) else dilation
    rows, columns = vertical * (weight.shape[2] - 1), horizontal * (weight.shape[3] - 1)
    x = F.pad(input, (columns - columns // 2, columns // 2, rows - rows // 2, rows // 2))
    return F.conv2d(x, weight, bias, stride, 0, dilation, groups)


def tf32_operands(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    return F.conv2d(rounded(input), rounded(weight), bias, stride, padding, dilation, groups)


def last_terms_missing(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """The loop over channels runs channels // 4 times four: a remainder is left out."""
    kept = weight.clone()
    kept[:, weight.shape[1] // 4 * 4:] = 0
    return F.conv2d(input, kept, bias, stride, padding, dilation, groups)


def output_channels_cut(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """One tile of 64 output channels and no more."""
    y = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    y.narrow(y.dim() - 3, min(64, y.shape[-3]), max(y.shape[-3] - 64, 0)).zero_()
    return y


def nan_read_as_zero(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    """A NaN of the input does not count."""
    input = torch.where(input.isnan(), torch.zeros_like(input), input)
    return F.conv2d(input, weight, bias, stride, padding, dilation, groups)
