"""Plausible wrong implementations of exp(sqrt(x)); each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def exp_first(input, out=None):
    """sqrt(exp(x)): the two functions in the other order."""
    return _give(torch.sqrt(torch.exp(input)), out)


def root_only(input, out=None):
    """Forgets the exponential."""
    return _give(torch.sqrt(input), out)


def abs_under_the_root(input, out=None):
    """Gives a number where the root of a negative element is NaN."""
    return _give(torch.exp(torch.sqrt(input.abs())), out)


def clamped_root(input, out=None):
    """Gives 1 where the root of a negative element is NaN."""
    return _give(torch.exp(torch.sqrt(input.clamp(min=0))), out)


def base_two(input, out=None):
    """exp2 without the factor log2(e)."""
    return _give(torch.exp2(torch.sqrt(input)), out)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.exp(torch.sqrt(input))


def half_precision(input, out=None):
    """Computes in bfloat16."""
    return _give(torch.exp(torch.sqrt(input.bfloat16())).to(input.dtype), out)


def one_block(input, out=None):
    """One program of 4096 elements: the rest stays 0."""
    result = torch.exp(torch.sqrt(input)).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def stops_at_65536(input, out=None):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = torch.exp(torch.sqrt(input)).contiguous()
    result.view(-1)[65536:] = 0
    return result if out is None else out.copy_(result)
