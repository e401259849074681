"""Plausible wrong implementations of a sum over dimensions; each must be rejected."""
import torch


def _dims(input, dim):
    """The dimensions as a sorted list of numbers from 0 on."""
    dims = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    return sorted(d % input.dim() for d in dims)


def _sum(input, dim, keepdim, dtype):
    """What the reference does."""
    return torch.sum(input, dim=_dims(input, dim), keepdim=keepdim, dtype=dtype)


def last_dim_only(input, dim, keepdim=False, dtype=None):
    """Reduces the last dimension whatever dim says."""
    return torch.sum(input, dim=-1, keepdim=keepdim, dtype=dtype)


def first_of_several_dims(input, dim, keepdim=False, dtype=None):
    """Of a tuple only the first dimension is reduced."""
    return torch.sum(input, dim=_dims(input, dim)[0], keepdim=keepdim, dtype=dtype)


def keepdim_ignored(input, dim, keepdim=False, dtype=None):
    """Always drops the reduced dimensions."""
    return _sum(input, dim, False, dtype)


def dtype_ignored(input, dim, keepdim=False, dtype=None):
    """Returns the default dtype whatever is asked for."""
    return _sum(input, dim, keepdim, None)


def integers_stay_small(input, dim, keepdim=False, dtype=None):
    """int32 and bool are added in their own dtype."""
    return _sum(input, dim, keepdim, dtype or input.dtype)


def integers_through_float64(input, dim, keepdim=False, dtype=None):
    """Adds integers as float64: digits beyond the 53rd bit are lost."""
    right = _sum(input, dim, keepdim, dtype)
    return _sum(input.double(), dim, keepdim, None).to(right.dtype)


def half_accumulator(input, dim, keepdim=False, dtype=None):
    """Adds half precision in half precision, 64 elements at a time."""
    if input.dtype not in (torch.float16, torch.bfloat16) or not isinstance(dim, int):
        return _sum(input, dim, keepdim, dtype)
    total = torch.zeros_like(torch.sum(input, dim=dim, keepdim=keepdim))
    for part in input.split(64, dim):
        total = total + torch.sum(part, dim=dim, keepdim=keepdim)
    return total.to(dtype or input.dtype)


def converted_before_adding(input, dim, keepdim=False, dtype=None):
    """Rounds the elements to half precision first and adds those."""
    return _sum(input.half() if input.dtype == torch.float32 else input, dim, keepdim, dtype or input.dtype).to(
        _sum(input, dim, keepdim, dtype).dtype)


def first_block_only(input, dim, keepdim=False, dtype=None):
    """Adds the first 4096 elements of a dimension only."""
    for d in _dims(input, dim):
        input = input.narrow(d, 0, min(4096, input.shape[d]))
    return _sum(input, dim, keepdim, dtype)


def tail_dropped(input, dim, keepdim=False, dtype=None):
    """The loop runs n // 32 times: the ragged rest is not added."""
    for d in _dims(input, dim):
        input = input.narrow(d, 0, max(input.shape[d] // 32 * 32, min(input.shape[d], 1)))
    return _sum(input, dim, keepdim, dtype)


def mean_instead(input, dim, keepdim=False, dtype=None):
    """Divides by the number of elements."""
    total = _sum(input, dim, keepdim, dtype)
    n = input.numel() / max(total.numel(), 1)
    return (total / max(n, 1)).to(total.dtype)


def nan_skipped(input, dim, keepdim=False, dtype=None):
    """Counts NaN as 0."""
    return _sum(torch.where(input != input, torch.zeros_like(input), input), dim, keepdim, dtype)
