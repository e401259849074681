"""Plausible wrong implementations of a softmax of logarithms; each must be rejected."""
import torch


def _wide(input, dtype):
    """The input in float32 at least."""
    return input.to(torch.promote_types(torch.promote_types(input.dtype, dtype or input.dtype), torch.float32))


def sum_overflows(input, dim=-1, dtype=None):
    """x / sum(x) in float32: the sum of large elements is inf."""
    x = _wide(input, dtype)
    x = torch.where(x < 0, torch.nan, x)
    return (x / x.sum(dim, keepdim=True)).to(dtype or input.dtype)


def negatives_divide_too(input, dim=-1, dtype=None):
    """x / sum(x) without a look at the sign: negative numbers give numbers."""
    x = _wide(input, dtype)
    x = x / x.abs().amax(dim, keepdim=True) if x.numel() else x
    return (x / x.sum(dim, keepdim=True)).to(dtype or input.dtype)


def negatives_are_zero(input, dim=-1, dtype=None):
    """The logarithm of a negative number is taken for -inf."""
    x = torch.log(_wide(input, dtype).clamp(min=0))
    return torch.softmax(x, dim).to(dtype or input.dtype)


def dim_ignored(input, dim=-1, dtype=None):
    """Always along the last dimension."""
    return torch.softmax(torch.log(_wide(input, dtype)), -1).to(dtype or input.dtype)


def first_dim(input, dim=-1, dtype=None):
    """Always along the first dimension."""
    return torch.softmax(torch.log(_wide(input, dtype)), 0).to(dtype or input.dtype)


def dtype_ignored(input, dim=-1, dtype=None):
    """Returns the input's dtype whatever is asked for."""
    return torch.softmax(torch.log(_wide(input, dtype)), dim).to(input.dtype)


def log_of_softmax(input, dim=-1, dtype=None):
    """The other order."""
    return torch.log_softmax(_wide(input, dtype), dim).to(dtype or input.dtype)


def plain_softmax(input, dim=-1, dtype=None):
    """Forgets the logarithm."""
    return torch.softmax(_wide(input, dtype), dim).to(dtype or input.dtype)


def binary_logarithm(input, dim=-1, dtype=None):
    """log2 for log: x^1.44 over its sum."""
    return torch.softmax(torch.log2(_wide(input, dtype)), dim).to(dtype or input.dtype)


def shifted_logarithm(input, dim=-1, dtype=None):
    """log(x + 1e-3) to avoid log(0)."""
    return torch.softmax(torch.log(_wide(input, dtype) + 1e-3), dim).to(dtype or input.dtype)


def logarithm_in_half(input, dim=-1, dtype=None):
    """Rounds the logarithm to half precision."""
    x = torch.log(_wide(input, dtype))
    return torch.softmax(x.half().to(x.dtype), dim).to(dtype or input.dtype)


def first_block_only(input, dim=-1, dtype=None):
    """Sums the first 4096 elements of the dimension only."""
    x = torch.log(_wide(input, dtype))
    first = x.narrow(dim, 0, min(4096, x.shape[dim]))
    return torch.exp(x - torch.logsumexp(first, dim, keepdim=True)).to(dtype or input.dtype)


def padding_counts(input, dim=-1, dtype=None):
    """Lanes beyond the end are loaded as 1, whose logarithm is 0, and add to the sum."""
    x = torch.log(_wide(input, dtype))
    n = x.shape[dim]
    extra = (1 << max(n - 1, 0).bit_length()) - n
    total = torch.exp(torch.logsumexp(x, dim, keepdim=True)) + extra
    return torch.exp(x - torch.log(total)).to(dtype or input.dtype)
