"""Plausible wrong implementations of transposed convolution; each must be rejected."""
import torch
import torch.nn.functional as F


def _pair(value):
    return (value, value) if isinstance(value, int) else tuple(value)


def _fit(y, right):
    """y cut or filled up with zeros to the size of right."""
    y = F.pad(y, (0, max(right.shape[-1] - y.shape[-1], 0), 0, max(right.shape[-2] - y.shape[-2], 0)))
    return y[..., :right.shape[-2], :right.shape[-1]].contiguous()


def dilation_ignored(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Neighbouring taps of the kernel go to neighbouring pixels; the output has the right size."""
    right = F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    if dilation in (1, (1, 1)):
        return right
    y = F.conv_transpose2d(input, weight, bias, stride, 0, 0, groups)
    return _fit(y, right)


def output_padding_in_front(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Enlarges the output before instead of behind."""
    y = F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    rows, columns = _pair(output_padding)
    return y.roll((rows, columns), (-2, -1))


def output_padding_zero(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """What output padding adds is filled with zeros."""
    y = F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation).clone()
    rows, columns = _pair(output_padding)
    y[..., y.shape[-2] - rows:, :] = 0
    y[..., y.shape[-1] - columns:] = 0
    return y


def output_padding_ignored(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """The output is too small."""
    return F.conv_transpose2d(input, weight, bias, stride, padding, 0, groups, dilation)


def kernel_flipped(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Mirrors the kernel, as a convolution of the padded input with the same kernel would."""
    return F.conv_transpose2d(input, weight.flip(-1, -2), bias, stride, padding, output_padding, groups, dilation)


def bias_ignored(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Never adds the bias."""
    return F.conv_transpose2d(input, weight, None, stride, padding, output_padding, groups, dilation)


def bias_only_where_taps_are(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Leaves outputs that no tap reaches at zero."""
    y = F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    pixels, taps = torch.ones_like(input[..., :1, :, :]), torch.ones_like(weight[:1, :1])
    ones = F.conv_transpose2d(pixels, taps, None, stride, padding, output_padding, 1, dilation)
    return torch.where(ones > 0, y, torch.zeros_like(y))


def groups_ignored(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Every group reads the channels of the first one."""
    if groups > 1:
        count = weight.shape[0] // groups
        input = torch.cat([input.narrow(-3, 0, count)] * groups, -3)
    return F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)


def axes_swapped(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Uses the horizontal stride, padding, output padding and dilation vertically and the other way round."""
    stride, padding, output_padding, dilation = (_pair(v)[::-1] for v in (stride, padding, output_padding, dilation))
    return F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)


def padding_added(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Padding enlarges the input instead of cutting the output; cut to the right size."""
    right = F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    y = F.conv_transpose2d(input, weight, bias, stride, 0, output_padding, groups, dilation)
    return _fit(y, right)


def stride_ignored(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Kernels lie one pixel apart; the output has the right size."""
    right = F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    return _fit(F.conv_transpose2d(input, weight, bias, 1, padding, 0, groups, dilation), right)


def tf32_operands(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    return F.conv_transpose2d(
        rounded(input), rounded(weight), bias, stride, padding, output_padding, groups, dilation
    )


def half_accumulation(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """Sums the products of half precision channel by channel in half precision."""
    if input.dtype != torch.float16:
        return F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    y = torch.zeros_like(F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation))
    for c in range(input.shape[1]):
        y += F.conv_transpose2d(input[:, c:c + 1], weight[c:c + 1], None, stride, padding, output_padding, 1, dilation)
    return y if bias is None else y + bias[:, None, None]


def output_channels_cut(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """One tile of 64 output channels and no more."""
    y = F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
    y.narrow(-3, min(64, y.shape[-3]), max(y.shape[-3] - 64, 0)).zero_()
    return y


def nan_read_as_zero(input, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    """A NaN of the input does not count."""
    input = torch.where(input.isnan(), torch.zeros_like(input), input)
    return F.conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
