"""Plausible wrong implementations of one-dimensional average pooling; each must be rejected."""
import torch
import torch.nn.functional as F


def padding_not_counted(input, kernel_size, stride=None, padding=0):
    """Divides by the number of real elements: padding zeros do not count."""
    return F.avg_pool1d(input, kernel_size, stride=stride, padding=padding, count_include_pad=False)


def padding_ignored(input, kernel_size, stride=None, padding=0):
    """Pads at the end instead of on both sides."""
    return F.avg_pool1d(F.pad(input, (0, 2 * padding)), kernel_size, stride=stride)


def stride_one(input, kernel_size, stride=None, padding=0):
    """A missing stride is taken as 1; the output length stays that of the right stride."""
    y = F.avg_pool1d(input, kernel_size, stride=stride, padding=padding)
    if stride is not None:
        return y
    return F.avg_pool1d(input, kernel_size, stride=1, padding=padding)[..., :y.shape[-1]].contiguous()


def stride_is_kernel_size(input, kernel_size, stride=None, padding=0):
    """Ignores stride where it is given: windows never overlap."""
    y = F.avg_pool1d(input, kernel_size, stride=stride, padding=padding)
    x = F.pad(input, (padding, padding + kernel_size * y.shape[-1]))
    return F.avg_pool1d(x, kernel_size)[..., :y.shape[-1]].contiguous()


def ceil_length(input, kernel_size, stride=None, padding=0):
    """Rounds the output length up."""
    return F.avg_pool1d(input, kernel_size, stride=stride, padding=padding, ceil_mode=True)


def maximum(input, kernel_size, stride=None, padding=0):
    """Takes the maximum of the window."""
    return F.max_pool1d(input, kernel_size, stride=stride, padding=padding)


def sum_not_mean(input, kernel_size, stride=None, padding=0):
    """Forgets to divide."""
    return F.avg_pool1d(input, kernel_size, stride=stride, padding=padding) * kernel_size


def half_accumulator(input, kernel_size, stride=None, padding=0):
    """Keeps the sum of the window in the input's dtype: float16 overflows."""
    total = (F.avg_pool1d(input.double(), kernel_size, stride=stride, padding=padding) * kernel_size).to(input.dtype)
    return total / kernel_size


def one_block_of_positions(input, kernel_size, stride=None, padding=0):
    """One block of 64 output positions a row and no more."""
    y = F.avg_pool1d(input, kernel_size, stride=stride, padding=padding)
    y[..., 64:] = 0
    return y


def stops_at_65536(input, kernel_size, stride=None, padding=0):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = F.avg_pool1d(input, kernel_size, stride=stride, padding=padding).contiguous()
    result.view(-1)[65536:] = 0
    return result


def nan_read_as_zero(input, kernel_size, stride=None, padding=0):
    """A NaN does not count."""
    input = torch.where(input.isnan(), torch.zeros_like(input), input)
    return F.avg_pool1d(input, kernel_size, stride=stride, padding=padding)


def bfloat16_for_float16(input, kernel_size, stride=None, padding=0):
    """Reads float16 as bfloat16."""
    if input.dtype == torch.float16:
        input = input.bfloat16().half()
    return F.avg_pool1d(input, kernel_size, stride=stride, padding=padding)
