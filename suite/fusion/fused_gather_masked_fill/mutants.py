"""Plausible wrong implementations of gathering and filling; each must be rejected."""
import torch


def _right(input, dim, index, mask, value):
    value = value.to(input.dtype) if isinstance(value, torch.Tensor) else value
    return torch.gather(input, dim, index).masked_fill(mask, value)


def _give(result, out):
    return result if out is None else out.copy_(result)


def dim_is_always_1(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """Gathers along the second dimension whatever dim says."""
    at = min(1, input.dim() - 1)
    fits = all(index.shape[d] <= input.shape[d] for d in range(input.dim()) if d != at)
    if not fits:
        return _give(torch.zeros(index.shape, dtype=input.dtype, device=input.device), out)
    return _give(_right(input, at, index % input.shape[at], mask, value), out)


def dim_is_always_0(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """Gathers along the first dimension whatever dim says."""
    fits = all(index.shape[d] <= input.shape[d] for d in range(1, input.dim()))
    if not fits:
        return _give(torch.zeros(index.shape, dtype=input.dtype, device=input.device), out)
    return _give(_right(input, 0, index % input.shape[0], mask, value), out)


def mask_inverted(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """Fills where the mask is false."""
    return _give(_right(input, dim, index, ~mask, value), out)


def mask_ignored(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """Gathers and fills nothing."""
    return _give(torch.gather(input, dim, index), out)


def filled_before_gather(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """Applies the mask to the input instead of the gathered elements, where the shapes allow it."""
    try:
        filled = input.masked_fill(mask, value.to(input.dtype) if isinstance(value, torch.Tensor) else value)
    except RuntimeError:
        return _give(_right(input, dim, index, mask, value), out)
    if filled.shape != input.shape:
        return _give(_right(input, dim, index, mask, value), out)
    return _give(torch.gather(filled, dim, index), out)


def whole_rows(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """Uses the first index of each slice for all of it, as index_select does."""
    first = index
    for d in range(index.dim()):
        if d != dim % index.dim() and index.numel() > 0:
            first = first.narrow(d, 0, 1).expand(index.shape)
    return _give(_right(input, dim, first, mask, value), out)


def rows_as_long_as_index(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """Takes the input's rows as if they had the index's length."""
    sizes = [input.shape[d] if d == dim % input.dim() else index.shape[d] for d in range(input.dim())]
    count = 1
    for s in sizes:
        count *= s
    return _give(_right(input.reshape(-1)[:count].view(sizes), dim, index, mask, value), out)


def mask_read_cyclically(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """Indexes the mask modulo its length instead of broadcasting it."""
    at = torch.arange(index.numel(), device=mask.device) % max(mask.numel(), 1)
    return _give(_right(input, dim, index, mask.reshape(-1)[at].view(index.shape), value), out)


def through_float32(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """Copies through float32: large integers and float64 are rounded."""
    return _give(_right(input.float(), dim, index, mask, value).to(input.dtype), out)


def multiplied_with_mask(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """gathered * (1 - mask) + value * mask: NaN and inf survive the mask."""
    gathered = torch.gather(input, dim, index)
    flags = mask.to(input.dtype)
    value = value.to(input.dtype) if isinstance(value, torch.Tensor) else value
    return _give((gathered * (1 - flags) + value * flags).expand(index.shape).to(input.dtype).contiguous(), out)


def one_block(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """One program of 65536 elements and no grid: what lies beyond stays 0."""
    result = _right(input, dim, index, mask, value).contiguous()
    result.view(-1)[65536:] = 0
    return _give(result, out)


def out_not_written(input, dim, index, mask, value, *, sparse_grad=False, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _right(input, dim, index, mask, value)
