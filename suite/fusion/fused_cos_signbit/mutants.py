"""Plausible wrong implementations of cosine and sign bit; each must be rejected."""
import torch


def sine(input):
    """The wrong function."""
    result = torch.sin(input)
    return result, torch.signbit(result)


def sign_of_the_input(input):
    """Takes the sign bit of the argument."""
    return torch.cos(input), torch.signbit(input)


def sign_always_false(input):
    """Right wherever the cosine is positive."""
    return torch.cos(input), torch.zeros_like(input, dtype=torch.bool)


def sign_inverted(input):
    """True for positive."""
    cosine = torch.cos(input)
    return cosine, cosine >= 0


def sign_as_number(input):
    """The second result has input's dtype instead of bool."""
    cosine = torch.cos(input)
    return cosine, torch.signbit(cosine).to(input.dtype)


def taylor_polynomial(input):
    """A polynomial that holds for small arguments only."""
    square = input * input
    result = 1 - square / 2 + square**2 / 24 - square**3 / 720
    return result, torch.signbit(result)


def half_period_reduction(input):
    """Reduces modulo pi and loses the sign."""
    result = torch.cos(torch.remainder(input, torch.pi))
    return result, torch.signbit(result)


def one_block(input):
    """One program of 4096 elements: the rest stays 0."""
    cosine = torch.cos(input).contiguous()
    cosine.view(-1)[4096:] = 0
    return cosine, torch.signbit(cosine)


def stops_at_65536(input):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    results = torch.cos(input).contiguous(), torch.signbit(torch.cos(input)).contiguous()
    for result in results:
        result.view(-1)[65536:] = 0
    return results
