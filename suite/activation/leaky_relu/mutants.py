"""Plausible wrong implementations of the leaky rectifier; each must be rejected."""
import torch
from torch.nn.functional import leaky_relu as right


def _give(y, input, inplace):
    """What every version does with its result."""
    return input.copy_(y) if inplace else y


def slope_ignored(input, negative_slope=0.01, inplace=False):
    """Uses 0.01 whatever is asked for."""
    return _give(right(input), input, inplace)


def maximum_of_both(input, negative_slope=0.01, inplace=False):
    """max(x, slope * x): another function where the slope is above 1 or negative."""
    return _give(torch.maximum(input, input * negative_slope), input, inplace)


def plain_relu(input, negative_slope=0.01, inplace=False):
    """Drops the negative part."""
    return _give(torch.relu(input), input, inplace)


def slope_on_positive(input, negative_slope=0.01, inplace=False):
    """Scales the wrong half."""
    return _give(torch.where(input > 0, negative_slope * input, input), input, inplace)


def slope_added(input, negative_slope=0.01, inplace=False):
    """max(x, 0) + slope * x: the positive half is scaled too."""
    return _give(torch.relu(input) + negative_slope * input, input, inplace)


def identity(input, negative_slope=0.01, inplace=False):
    """Returns the input: right on data that is never negative."""
    return _give(input.clone(), input, inplace)


def inplace_ignored(input, negative_slope=0.01, inplace=False):
    """Always returns a new tensor and leaves input alone."""
    return right(input, negative_slope)


def always_inplace(input, negative_slope=0.01, inplace=False):
    """Writes into input even where that was not asked for."""
    y = right(input, negative_slope)
    return y if 0 in input.stride() else input.copy_(y)


def one_block(input, negative_slope=0.01, inplace=False):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    y = right(input, negative_slope).contiguous()
    y.view(-1)[4096:] = 0
    return _give(y, input, inplace)


def tail_dropped(input, negative_slope=0.01, inplace=False):
    """The grid is numel // 256: the ragged last block is never computed."""
    y = right(input, negative_slope).contiguous()
    y.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(y, input, inplace)


def grid_of_65536(input, negative_slope=0.01, inplace=False):
    """Never more than 64 programs of 1024 elements: what lies beyond is not written."""
    y = right(input, negative_slope).contiguous()
    y.view(-1)[65536:] = 0
    return _give(y, input, inplace)


def reads_as_contiguous(input, negative_slope=0.01, inplace=False):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    flat = input.as_strided((length,), (1,))
    x = flat[torch.arange(input.numel(), device=input.device) % max(length, 1)].view(input.shape)
    y = right(x, negative_slope)
    return _give(y, input, inplace)


def inplace_in_float32_only(input, negative_slope=0.01, inplace=False):
    """Half precision and float64 take a way of their own, which forgets inplace."""
    y = torch.nn.functional.leaky_relu(input, negative_slope)
    return input.copy_(y) if inplace and input.dtype == torch.float32 else y
