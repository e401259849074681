"""Plausible wrong versions of cosine and average pooling; each must be rejected."""
import torch
import torch.nn.functional as F


def pooled_first(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The cosine of the mean instead of the mean of the cosines."""
    return torch.cos(F.avg_pool1d(input, kernel_size, stride, padding, ceil_mode, count_include_pad))


def padding_before_cosine(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Pads the input with zeros, whose cosine is 1."""
    if ceil_mode or not count_include_pad:
        return F.avg_pool1d(torch.cos(input), kernel_size, stride, padding, ceil_mode, count_include_pad)
    return F.avg_pool1d(torch.cos(F.pad(input, (padding, padding))), kernel_size, stride)


def sine(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """The wrong function."""
    return F.avg_pool1d(torch.sin(input), kernel_size, stride, padding, ceil_mode, count_include_pad)


def sum_not_mean(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Does not divide."""
    return F.avg_pool1d(torch.cos(input), kernel_size, stride, padding, ceil_mode, count_include_pad) * kernel_size


def ceil_mode_ignored(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Always rounds the length down."""
    return F.avg_pool1d(torch.cos(input), kernel_size, stride, padding, False, count_include_pad)


def padding_always_counted(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Ignores count_include_pad."""
    return F.avg_pool1d(torch.cos(input), kernel_size, stride, padding, ceil_mode)


def padding_never_counted(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Ignores count_include_pad the other way."""
    return F.avg_pool1d(torch.cos(input), kernel_size, stride, padding, ceil_mode, False)


def always_divides_by_kernel_size(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Divides a last window that ceil_mode lets reach beyond the padding by kernel_size too."""
    right = F.avg_pool1d(torch.cos(input), kernel_size, stride, padding, ceil_mode, count_include_pad)
    if not ceil_mode or not count_include_pad:
        return right
    step = stride or kernel_size
    beyond = max((right.shape[-1] - 1) * step + kernel_size - input.shape[-1] - 2 * padding, 0)
    return F.avg_pool1d(F.pad(torch.cos(input), (padding, padding + beyond)), kernel_size, step)[..., :right.shape[-1]]


def stride_ignored(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Windows lie kernel_size apart; cut or padded to the right length."""
    right = F.avg_pool1d(torch.cos(input), kernel_size, stride, padding, ceil_mode, count_include_pad)
    y = F.avg_pool1d(torch.cos(input), kernel_size, None, padding, ceil_mode, count_include_pad)
    return F.pad(y, (0, max(right.shape[-1] - y.shape[-1], 0)))[..., :right.shape[-1]].contiguous()


def taylor(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Six terms of the cosine's series, good within one period only."""
    x, term, total = input, torch.ones_like(input), torch.ones_like(input)
    for n in range(1, 7):
        term = -term * x * x / ((2 * n - 1) * (2 * n))
        total = total + term
    return F.avg_pool1d(total, kernel_size, stride, padding, ceil_mode, count_include_pad)


def half_accumulation(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Adds up in the dtype of a half precision input."""
    if input.dtype not in (torch.float16, torch.bfloat16) or input.numel() == 0:
        return F.avg_pool1d(torch.cos(input), kernel_size, stride, padding, ceil_mode, count_include_pad)
    step, x = stride or kernel_size, F.pad(torch.cos(input), (padding, padding))
    windows = x.unfold(-1, kernel_size, step)
    total = torch.zeros_like(windows[..., 0])
    for k in range(kernel_size):
        total = total + windows[..., k]
    return total / kernel_size


def one_block(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    """Computes 1024 positions of a row and no more."""
    y = F.avg_pool1d(torch.cos(input), kernel_size, stride, padding, ceil_mode, count_include_pad)
    y[..., 1024:] = 0
    return y
