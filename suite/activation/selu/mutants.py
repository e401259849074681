"""Plausible wrong implementations of SELU; each must be rejected."""
import torch
from torch.nn.functional import selu as right

ALPHA, SCALE = 1.6732632423543772, 1.0507009873554805


def _give(y, input, inplace):
    """What every version does with its result."""
    return input.copy_(y) if inplace else y


def scale_missing(input, inplace=False):
    """ELU with alpha: the factor in front is forgotten."""
    return _give(torch.nn.functional.elu(input, ALPHA), input, inplace)


def alpha_missing(input, inplace=False):
    """Scaled ELU with alpha = 1."""
    return _give(SCALE * torch.nn.functional.elu(input), input, inplace)


def scale_on_positive_only(input, inplace=False):
    """The negative half is not scaled."""
    return _give(torch.where(input > 0, SCALE * input, ALPHA * torch.expm1(input)), input, inplace)


def masks_multiplied(input, inplace=False):
    """Adds both halves times their masks: inf * 0 where exp(x) overflows."""
    positive = (input > 0).to(input.dtype)
    y = SCALE * (positive * input + (1 - positive) * ALPHA * (torch.exp(input) - 1))
    return _give(y, input, inplace)


def rounded_constants(input, inplace=False):
    """alpha = 1.673 and scale = 1.05."""
    return _give(1.05 * torch.nn.functional.elu(input, 1.673), input, inplace)


def exponential_not_shifted(input, inplace=False):
    """alpha * exp(x) - 1 instead of alpha * (exp(x) - 1)."""
    return _give(SCALE * torch.where(input > 0, input, ALPHA * torch.exp(input) - 1), input, inplace)


def identity_scaled(input, inplace=False):
    """scale * x: right on data that is never negative."""
    return _give(SCALE * input, input, inplace)


def inplace_ignored(input, inplace=False):
    """Always returns a new tensor and leaves input alone."""
    return right(input)


def always_inplace(input, inplace=False):
    """Writes into input even where that was not asked for."""
    y = right(input)
    return y if 0 in input.stride() else input.copy_(y)


def one_block(input, inplace=False):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    y = right(input).contiguous()
    y.view(-1)[4096:] = 0
    return _give(y, input, inplace)


def tail_dropped(input, inplace=False):
    """The grid is numel // 256: the ragged last block is never computed."""
    y = right(input).contiguous()
    y.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(y, input, inplace)


def grid_of_65536(input, inplace=False):
    """Never more than 64 programs of 1024 elements: what lies beyond is not written."""
    y = right(input).contiguous()
    y.view(-1)[65536:] = 0
    return _give(y, input, inplace)


def reads_as_contiguous(input, inplace=False):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    flat = input.as_strided((length,), (1,))
    x = flat[torch.arange(input.numel(), device=input.device) % max(length, 1)].view(input.shape)
    y = right(x)
    return _give(y, input, inplace)


def inplace_in_float32_only(input, inplace=False):
    """Half precision and float64 take a way of their own, which forgets inplace."""
    y = torch.nn.functional.selu(input)
    return input.copy_(y) if inplace and input.dtype == torch.float32 else y
