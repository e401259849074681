"""Plausible wrong implementations of erfc and sqrt; each must be rejected."""
import torch


def erf_not_erfc(input):
    """Forgets the complement."""
    return torch.erf(input), torch.sqrt(input)


def swapped(input):
    """Returns the two results in the other order."""
    return torch.sqrt(input), torch.erfc(input)


def one_minus_erf(input):
    """1 - erf(x): nothing is left of it in the tail."""
    return 1 - torch.erf(input), torch.sqrt(input)


def abs_under_the_root(input):
    """Gives a number where the root of a negative element is NaN."""
    return torch.erfc(input), torch.sqrt(input.abs())


def clamped_root(input):
    """Gives 0 where the root of a negative element is NaN."""
    return torch.erfc(input), torch.sqrt(input.clamp(min=0))


def logistic_erfc(input):
    """The approximation that the fast form of GELU rests on: right to three digits."""
    return 2 * torch.sigmoid(-2 * 1.12837917 * (input + 0.08943 * input**3)), torch.sqrt(input)


def symmetric_erfc(input):
    """Takes erfc for an even function."""
    return torch.erfc(input.abs()), torch.sqrt(input)


def one_block(input):
    """One program of 4096 elements: the rest stays 0."""
    erfc, sqrt = torch.erfc(input).contiguous(), torch.sqrt(input).contiguous()
    erfc.view(-1)[4096:] = 0
    sqrt.view(-1)[4096:] = 0
    return erfc, sqrt


def one_result(input):
    """Returns erfc alone."""
    return torch.erfc(input)


def stops_at_65536(input):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    results = torch.special.erfc(input).contiguous(), torch.sqrt(input).contiguous()
    for result in results:
        result.view(-1)[65536:] = 0
    return results
