"""Plausible wrong implementations of the polygamma functions; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def order_ignored(n, input, *, out=None):
    """Always trigamma."""
    return _give(torch.polygamma(1, input), out)


def order_ignored_above_two(n, input, *, out=None):
    """Takes every order above 2 for 2."""
    return _give(torch.polygamma(min(n, 2), input), out)


def off_by_one(n, input, *, out=None):
    """One derivative too many."""
    return _give(torch.polygamma(n + 1, input), out)


def magnitude(n, input, *, out=None):
    """Forgets the alternating sign."""
    return _give(torch.polygamma(n, input).abs(), out)


def factorial_forgotten(n, input, *, out=None):
    """The zeta function without n!."""
    return _give(torch.polygamma(n, input) / float(torch.arange(1, max(n, 1) + 1).prod()), out)


def ten_terms(n, input, *, out=None):
    """The first ten terms of the sum: nothing stands for the rest."""
    sign, factorial = (-1.0) ** (n + 1), float(torch.arange(1, max(n, 1) + 1).prod())
    return _give(sign * factorial * sum(1 / (input + k) ** (n + 1) for k in range(10)), out)


def thousand_terms(n, input, *, out=None):
    """The first thousand terms: the rest is still 1 / (x + 1000) for trigamma."""
    if n == 0:
        return _give(torch.digamma(input), out)
    sign, factorial = (-1.0) ** (n + 1), float(torch.arange(1, n + 1).prod())
    return _give(sign * factorial * sum(1 / (input + k) ** (n + 1) for k in range(1000)), out)


def leading_term(n, input, *, out=None):
    """The first term for large x, for every x."""
    factorial = float(torch.arange(1, max(n, 2)).prod())
    return _give(torch.log(input) if n == 0 else (-1.0) ** (n + 1) * factorial / input**n, out)


def nan_below_zero(n, input, *, out=None):
    """NaN for every negative x."""
    return _give(torch.where(input < 0, torch.full_like(input, torch.nan), torch.polygamma(n, input)), out)


def negative_order_accepted(n, input, *, out=None):
    """Gives NaN instead of an exception for a negative order."""
    return _give(torch.polygamma(n, input) if n >= 0 else torch.full_like(input, torch.nan), out)


def in_float32(n, input, *, out=None):
    """Computes float64 in float32."""
    return _give(torch.polygamma(n, input.float()).to(input.dtype), out)


def one_block(n, input, *, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.polygamma(n, input).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(n, input, *, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.polygamma(n, input).contiguous()
    result.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(n, input, *, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    places = torch.arange(input.numel(), device=input.device) % max(length, 1)
    input = input.as_strided((length,), (1,))[places].view(input.shape)
    return _give(torch.polygamma(n, input), out)


def out_not_written(n, input, *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.polygamma(n, input)


def out_written_as_contiguous(n, input, *, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.polygamma(n, input)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out
