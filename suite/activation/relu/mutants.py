"""Plausible wrong implementations of ReLU; each must be rejected."""
import torch


def _give(y, input, inplace):
    """What every version does with its result."""
    return input.copy_(y) if inplace else y


def nan_dropped(input, inplace=False):
    """fmax(x, 0): NaN becomes 0."""
    y = torch.relu(input)
    return _give(torch.where(input != input, torch.zeros_like(y), y), input, inplace)


def multiplied_by_mask(input, inplace=False):
    """x * (x > 0): -inf times 0 is NaN."""
    return _give(input * (input > 0), input, inplace)


def leaky(input, inplace=False):
    """Keeps a hundredth of the negative part."""
    y = torch.where(input > 0, input, (input * 0.01).to(input.dtype))
    return _give(y, input, inplace)


def absolute_value(input, inplace=False):
    """Mirrors what is negative."""
    return _give(input.abs(), input, inplace)


def identity(input, inplace=False):
    """Returns the input: right on data that is never negative."""
    return _give(input.clone(), input, inplace)


def through_float32(input, inplace=False):
    """Converts everything to float32: large integers and float64 lose digits."""
    return _give(torch.relu(input.float()).to(input.dtype), input, inplace)


def inplace_ignored(input, inplace=False):
    """Always returns a new tensor and leaves input alone."""
    return torch.relu(input)


def always_inplace(input, inplace=False):
    """Writes into input even where that was not asked for."""
    y = torch.relu(input)
    return y if 0 in input.stride() else input.copy_(y)


def one_block(input, inplace=False):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    y = torch.relu(input).contiguous()
    y.view(-1)[4096:] = 0
    return _give(y, input, inplace)


def tail_dropped(input, inplace=False):
    """The grid is numel // 256: the ragged last block is never computed."""
    y = torch.relu(input).contiguous()
    y.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(y, input, inplace)


def grid_of_65536(input, inplace=False):
    """Never more than 64 programs of 1024 elements: what lies beyond is not written."""
    y = torch.relu(input).contiguous()
    y.view(-1)[65536:] = 0
    return _give(y, input, inplace)


def reads_as_contiguous(input, inplace=False):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    flat = input.as_strided((length,), (1,))
    x = flat[torch.arange(input.numel(), device=input.device) % max(length, 1)].view(input.shape)
    y = torch.relu(x)
    return _give(y, input, inplace)


def inplace_in_float32_only(input, inplace=False):
    """Half precision and float64 take a way of their own, which forgets inplace."""
    y = torch.relu(input)
    return input.copy_(y) if inplace and input.dtype == torch.float32 else y
