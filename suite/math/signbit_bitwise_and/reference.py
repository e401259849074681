"""Sign bits and the AND of int8 conversions: the PyTorch reference."""
import torch


def signbit_bitwise_and(input, other):
    """The pair (signbit(input), int8(input) & int8(other))."""
    return torch.signbit(input), input.to(torch.int8) & other.to(torch.int8)


def domain(input, other):
    """The sign counts everywhere, the AND where input has an int8."""
    return torch.ones_like(input, dtype=torch.bool), (input > -129) & (input < 128)
