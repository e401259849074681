"""Plausible wrong versions of convolution, max pooling and ReLU; each must be rejected."""
import torch
import torch.nn.functional as F


def no_relu(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """Leaves negative numbers."""
    c = F.conv2d(input, weight, bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    return F.max_pool2d(c, pool_kernel_size, pool_stride, pool_padding, pool_dilation, pool_ceil_mode)


def average(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """Average instead of maximum, where torch can average."""
    c = F.conv2d(input, weight, bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    if pool_dilation != 1:
        return F.relu(F.max_pool2d(c, pool_kernel_size, pool_stride, pool_padding, pool_dilation, pool_ceil_mode))
    return F.relu(F.avg_pool2d(c, pool_kernel_size, pool_stride, pool_padding, pool_ceil_mode))


def pooled_first(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """Pools the image before it convolves; cut or padded to the right size."""
    c = F.conv2d(input, weight, bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    right = F.max_pool2d(c, pool_kernel_size, pool_stride, pool_padding, pool_dilation, pool_ceil_mode)
    p = F.max_pool2d(input, 2, 1)
    p = F.conv2d(p, weight, bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    rows, columns = right.shape[-2:]
    p = F.pad(p, (0, max(columns - p.shape[-1], 0), 0, max(rows - p.shape[-2], 0)))
    return F.relu(p[..., :rows, :columns]).contiguous()


def bias_after_pooling_and_relu(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """Adds the bias at the very end."""
    c = F.conv2d(input, weight, None, conv_stride, conv_padding, conv_dilation, conv_groups)
    y = F.relu(F.max_pool2d(c, pool_kernel_size, pool_stride, pool_padding, pool_dilation, pool_ceil_mode))
    return y if bias is None else y + bias[:, None, None]


def pool_dilation_ignored(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """Windows of neighbouring pixels; the output has the right size."""
    c = F.conv2d(input, weight, bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    right = F.max_pool2d(c, pool_kernel_size, pool_stride, pool_padding, pool_dilation, pool_ceil_mode)
    near = F.max_pool2d(c, pool_kernel_size, pool_stride, pool_padding, 1, pool_ceil_mode)
    return F.relu(near[..., :right.shape[-2], :right.shape[-1]]).contiguous()


def ceil_mode_ignored(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """Always rounds down."""
    c = F.conv2d(input, weight, bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    return F.relu(F.max_pool2d(c, pool_kernel_size, pool_stride, pool_padding, pool_dilation))


def groups_ignored(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """Every group reads the channels of the first one."""
    c = F.conv2d(input[:, :weight.shape[1]], weight, bias, conv_stride, conv_padding, conv_dilation)
    return F.relu(F.max_pool2d(c, pool_kernel_size, pool_stride, pool_padding, pool_dilation, pool_ceil_mode))


def pool_stride_ignored(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """Windows always lie pool_kernel_size apart; the output has the right size."""
    c = F.conv2d(input, weight, bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    right = F.max_pool2d(c, pool_kernel_size, pool_stride, pool_padding, pool_dilation, pool_ceil_mode)
    p = F.max_pool2d(c, pool_kernel_size, None, pool_padding, pool_dilation, pool_ceil_mode)
    rows, columns = right.shape[-2:]
    p = F.pad(p, (0, max(columns - p.shape[-1], 0), 0, max(rows - p.shape[-2], 0)))
    return F.relu(p[..., :rows, :columns]).contiguous()


def output_channels_cut(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """One tile of 64 output channels and no more."""
    c = F.conv2d(input, weight, bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    y = F.relu(F.max_pool2d(c, pool_kernel_size, pool_stride, pool_padding, pool_dilation, pool_ceil_mode))
    y[:, 64:] = 0
    return y


def stops_at_65536(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """Computes 65536 elements of the result and leaves the rest 0."""
    y = F.conv2d(input, weight, bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    y = F.relu(F.max_pool2d(y, pool_kernel_size, pool_stride, pool_padding, pool_dilation, pool_ceil_mode))
    y = y.contiguous().clone()
    y.view(-1)[65536:] = 0
    return y


def nan_dropped(
    input, weight, bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1, pool_kernel_size=2,
    pool_stride=None, pool_padding=0, pool_dilation=1, pool_ceil_mode=False, inplace=False,
):
    """maximum(x, 0) as the hardware takes it: a NaN becomes 0."""
    c = F.conv2d(input, weight, bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    z = F.max_pool2d(c, pool_kernel_size, pool_stride, pool_padding, pool_dilation, pool_ceil_mode)
    return torch.where(z > 0, z, 0)
