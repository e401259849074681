"""Plausible wrong implementations of a mean of exponentials; each must be rejected."""
import torch


def _dims(input, dim):
    """The dimensions as a sorted list of numbers from 0 on."""
    dims = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    return sorted(d % max(input.dim(), 1) for d in dims)


def _give(y, out):
    """What every version does with its result."""
    return y if out is None or out.shape != y.shape else out.copy_(y)


def _wide(input, dtype):
    """At least float32."""
    return input.to(torch.promote_types(torch.promote_types(input.dtype, dtype or input.dtype), torch.float32))


def _right(input, dim, keepdim, dtype):
    """The mean as it should be."""
    e = torch.exp(_wide(input, dtype))
    return torch.mean(e, dim=_dims(input, dim), keepdim=keepdim).to(dtype or input.dtype)


def last_dim_only(input, dim=None, keepdim=False, dtype=None, out=None):
    """Reduces the last dimension whatever dim says."""
    return _give(_right(input, -1, keepdim, dtype), out)


def first_of_several_dims(input, dim=None, keepdim=False, dtype=None, out=None):
    """Of several dimensions only the first is reduced."""
    return _give(_right(input, _dims(input, dim)[:1], keepdim, dtype), out)


def keepdim_ignored(input, dim=None, keepdim=False, dtype=None, out=None):
    """Always drops the reduced dimensions."""
    return _give(_right(input, dim, False, dtype), out)


def dtype_ignored(input, dim=None, keepdim=False, dtype=None, out=None):
    """Returns the input's dtype whatever is asked for."""
    wanted = input.dtype if input.is_floating_point() else None
    return _give(_right(input, dim, keepdim, wanted or dtype), out)


def out_not_written(input, dim=None, keepdim=False, dtype=None, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _right(input, dim, keepdim, dtype)


def sum_not_mean(input, dim=None, keepdim=False, dtype=None, out=None):
    """Forgets to divide."""
    y = _right(input, dim, keepdim, dtype)
    return _give(y * (input.numel() / max(y.numel(), 1)), out)


def divides_by_padded_length(input, dim=None, keepdim=False, dtype=None, out=None):
    """Divides by the power-of-two block size instead of the number of elements."""
    y = _right(input, dim, keepdim, dtype)
    n = input.numel() // max(y.numel(), 1)
    return _give(y * (n / (1 << max(n - 1, 0).bit_length())), out)


def divides_by_n_minus_one(input, dim=None, keepdim=False, dtype=None, out=None):
    """Divides by n - 1."""
    y = _right(input, dim, keepdim, dtype)
    n = input.numel() // max(y.numel(), 1)
    return _give(y * (n / max(n - 1, 1)), out)


def exponential_of_mean(input, dim=None, keepdim=False, dtype=None, out=None):
    """Takes the mean first."""
    y = torch.mean(_wide(input, dtype), dim=_dims(input, dim), keepdim=keepdim)
    return _give(torch.exp(y).to(dtype or input.dtype), out)


def padding_counts(input, dim=None, keepdim=False, dtype=None, out=None):
    """Lanes beyond the end are loaded as 0, whose exponential is 1."""
    y = _right(input, dim, keepdim, dtype)
    n = input.numel() // max(y.numel(), 1)
    extra = ((1 << max(n - 1, 0).bit_length()) - n) / max(n, 1)
    return _give((y + extra).to(y.dtype), out)


def exponential_in_half(input, dim=None, keepdim=False, dtype=None, out=None):
    """Rounds exp(x) to the input's dtype: float16 overflows at 11.1."""
    e = torch.exp(input).to(_wide(input, dtype).dtype)
    return _give(torch.mean(e, dim=_dims(input, dim), keepdim=keepdim).to(dtype or input.dtype), out)


def base_two(input, dim=None, keepdim=False, dtype=None, out=None):
    """2^x instead of e^x."""
    e = torch.exp2(_wide(input, dtype))
    return _give(torch.mean(e, dim=_dims(input, dim), keepdim=keepdim).to(dtype or input.dtype), out)


def first_block_only(input, dim=None, keepdim=False, dtype=None, out=None):
    """Adds the first 4096 elements of what is reduced only, and divides by all."""
    y = input.clone()
    if dim is None:
        y.view(-1)[4096:] = -float("inf")
    else:
        for d in _dims(input, dim):
            y.narrow(d, min(4096, y.shape[d]), max(y.shape[d] - 4096, 0)).fill_(-float("inf"))
    return _give(_right(y, dim, keepdim, dtype), out)


def nan_skipped(input, dim=None, keepdim=False, dtype=None, out=None):
    """Counts NaN as 0."""
    y = torch.where(input != input, torch.full_like(input, -float("inf")), input)
    return _give(_right(y, dim, keepdim, dtype), out)
