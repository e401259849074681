"""Plausible wrong implementations of a mean over dimensions; each must be rejected."""
import torch


def _dims(input_tensor, dim):
    """The dimensions as a sorted list of numbers from 0 on."""
    dims = range(input_tensor.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    return sorted(d % max(input_tensor.dim(), 1) for d in dims)


def _give(y, out):
    """What every version does with its result."""
    return y if out is None or out.shape != y.shape else out.copy_(y)


def _right(input_tensor, dim, keepdim, dtype):
    """The mean as it should be."""
    return torch.mean(input_tensor, dim=_dims(input_tensor, dim), keepdim=keepdim, dtype=dtype)


def last_dim_only(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """Reduces the last dimension whatever dim says."""
    return _give(_right(input_tensor, -1, keepdim, dtype), out)


def first_of_several_dims(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """Of several dimensions only the first is reduced."""
    return _give(_right(input_tensor, _dims(input_tensor, dim)[:1], keepdim, dtype), out)


def keepdim_ignored(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """Always drops the reduced dimensions."""
    return _give(_right(input_tensor, dim, False, dtype), out)


def dtype_ignored(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """Returns the input's dtype whatever is asked for."""
    wanted = input_tensor.dtype if input_tensor.is_floating_point() else None
    return _give(_right(input_tensor, dim, keepdim, wanted or dtype), out)


def out_not_written(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _right(input_tensor, dim, keepdim, dtype)


def sum_not_mean(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """Forgets to divide."""
    y = _right(input_tensor, dim, keepdim, dtype)
    return _give(y * (input_tensor.numel() / max(y.numel(), 1)), out)


def divides_by_padded_length(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """Divides by the power-of-two block size instead of the number of elements."""
    y = _right(input_tensor, dim, keepdim, dtype)
    n = input_tensor.numel() // max(y.numel(), 1)
    return _give(y * (n / (1 << max(n - 1, 0).bit_length())), out)


def divides_by_n_minus_one(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """Divides by n - 1."""
    y = _right(input_tensor, dim, keepdim, dtype)
    n = input_tensor.numel() // max(y.numel(), 1)
    return _give(y * (n / max(n - 1, 1)), out)


def half_accumulator(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """Adds half precision in half precision, 64 elements at a time."""
    if input_tensor.dtype not in (torch.float16, torch.bfloat16) or not isinstance(dim, int):
        return _give(_right(input_tensor, dim, keepdim, dtype), out)
    total = torch.zeros_like(_right(input_tensor, dim, keepdim, None))
    for part in input_tensor.split(64, dim):
        total = total + torch.sum(part, dim=dim, keepdim=keepdim)
    return _give((total / input_tensor.shape[dim]).to(dtype or input_tensor.dtype), out)


def integers_as_int32(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """Reads integers as 32-bit ones."""
    if not input_tensor.is_floating_point():
        input_tensor = input_tensor.to(torch.int32)
    return _give(_right(input_tensor, dim, keepdim, dtype), out)


def first_block_only(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """Adds the first 4096 elements of a dimension only, and divides by all."""
    y = input_tensor
    for d in _dims(input_tensor, dim):
        n = min(4096, y.shape[d])
        y = torch.cat([y.narrow(d, 0, n), torch.zeros_like(y.narrow(d, n, y.shape[d] - n))], d)
    return _give(_right(y, dim, keepdim, dtype), out)


def tail_dropped(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """The loop runs n // 32 times: the ragged rest is not added."""
    y = input_tensor.clone()
    for d in _dims(input_tensor, dim):
        whole = y.shape[d] // 32 * 32
        y.narrow(d, whole, y.shape[d] - whole).zero_()
    return _give(_right(y, dim, keepdim, dtype), out)


def nan_skipped(input_tensor, dim, keepdim=False, dtype=None, out=None):
    """Counts NaN as 0."""
    y = torch.where(input_tensor != input_tensor, torch.zeros_like(input_tensor), input_tensor)
    return _give(_right(y, dim, keepdim, dtype), out)
