"""Plausible wrong implementations of hyperbolic tangent on bfloat16; each must be rejected."""
import torch


def quotient_of_exponentials(input):
    """(e^2x - 1) / (e^2x + 1): inf / inf for large x."""
    e = torch.exp(2 * input.float())
    return ((e - 1) / (e + 1)).to(input.dtype)


def exponentials_in_half(input):
    """1 - 2 / (e^2x + 1) with every step rounded to half precision: small results lose their digits."""
    e = torch.exp(2 * input)
    return 1 - 2 / (e + 1)


def taylor_polynomial(input):
    """x - x^3 / 3 + 2 x^5 / 15: holds for small arguments only."""
    x = input.float()
    return (x - x ** 3 / 3 + 2 * x ** 5 / 15).clamp(-1, 1).to(input.dtype)


def clamp(input):
    """The hard version: x cut off at -1 and 1."""
    return input.clamp(-1, 1)


def argument_not_doubled(input):
    """2 sigmoid(x) - 1 is tanh(x / 2)."""
    return torch.tanh(input / 2)


def one_block(input):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    y = torch.tanh(input).contiguous()
    y.view(-1)[4096:] = 0
    return y


def tail_dropped(input):
    """The grid is numel // 256: the ragged last block is never computed."""
    y = torch.tanh(input).contiguous()
    y.view(-1)[input.numel() // 256 * 256:] = 0
    return y


def grid_of_65536(input):
    """Never more than 64 programs of 1024 elements: what lies beyond is not written."""
    y = torch.tanh(input).contiguous()
    y.view(-1)[65536:] = 0
    return y


def returns_float32(input):
    """Forgets to round back: the result is float32."""
    return torch.tanh(input.float())


def reads_as_contiguous(input):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    flat = input.as_strided((length,), (1,))
    x = flat[torch.arange(input.numel(), device=input.device) % max(length, 1)].view(input.shape)
    return torch.tanh(x)
