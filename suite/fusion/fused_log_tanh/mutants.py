"""Plausible wrong implementations of tanh of the logarithm; each must be rejected."""
import torch


def _check(input):
    """What the contract asks for."""
    if torch.any(input <= 0):
        raise ValueError("the logarithm needs positive elements")


def _give(y, out):
    """What every version does with its result."""
    return y if out is None else out.copy_(y)


def _right(input):
    """The value without the check."""
    wide = torch.promote_types(input.dtype, torch.float32)
    return torch.tanh(torch.log(input.to(wide))).to(input.dtype)


def never_raises(input, out=None):
    """Lets the logarithm give NaN and -inf."""
    return _give(_right(input), out)


def zero_is_allowed(input, out=None):
    """Refuses negative elements only: log(0) gives -1."""
    if torch.any(input < 0):
        raise ValueError("the logarithm needs positive elements")
    return _give(_right(input), out)


def first_element_is_checked(input, out=None):
    """Looks at the first block of 1024 only."""
    _check(input.reshape(-1)[:1024])
    return _give(_right(input), out)


def last_block_decides(input, out=None):
    """Every block overwrites the flag: only the last one's elements count."""
    if input.numel() > 0:
        _check(input.reshape(-1)[(input.numel() - 1) // 1024 * 1024:])
    return _give(_right(input), out)


def logarithm_of_tanh(input, out=None):
    """The other order."""
    _check(input)
    return _give(torch.log(torch.tanh(input)), out)


def squares_overflow(input, out=None):
    """(x^2 - 1) / (x^2 + 1): inf / inf for large x."""
    _check(input)
    square = input * input
    return _give((square - 1) / (square + 1), out)


def tanh_forgotten(input, out=None):
    """The logarithm alone: nearly right close to 1."""
    _check(input)
    return _give(torch.log(input), out)


def binary_logarithm(input, out=None):
    """log2 for log."""
    _check(input)
    return _give(torch.tanh(torch.log2(input)), out)


def logarithm_in_half(input, out=None):
    """Rounds the logarithm to half precision."""
    _check(input)
    return _give(torch.tanh(torch.log(input).half().to(input.dtype)), out)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    _check(input)
    return _right(input)


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    _check(input)
    y = _right(input).contiguous()
    y.view(-1)[4096:] = 0
    return _give(y, out)


def grid_of_65536(input, out=None):
    """Never more than 64 programs of 1024 elements: what lies beyond is not written."""
    _check(input)
    y = _right(input).contiguous()
    y.view(-1)[65536:] = 0
    return _give(y, out)
