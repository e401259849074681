"""Plausible wrong implementations of selecting and comparing; each must be rejected."""
import torch


def _right(input, dim, index, other):
    if not isinstance(other, torch.Tensor):
        other = torch.tensor(other, dtype=input.dtype, device=input.device)
    return torch.eq(torch.index_select(input, dim, index), other)


def _give(result, out):
    return result if out is None else out.copy_(result)


def always_false(input, dim, index, other, *, out=None):
    """Finds nothing equal: right on continuous random data."""
    return _give(torch.zeros_like(_right(input, dim, index, other)), out)


def always_true(input, dim, index, other, *, out=None):
    """Finds everything equal."""
    return _give(torch.ones_like(_right(input, dim, index, other)), out)


def index_ignored(input, dim, index, other, *, out=None):
    """Compares the first slices instead of the named ones."""
    first = torch.arange(index.numel(), device=index.device) % input.shape[dim]
    return _give(_right(input, dim, first, other), out)


def dim_is_always_0(input, dim, index, other, *, out=None):
    """Selects rows whatever dim says."""
    shape = _right(input, dim, index, other).shape
    rows = torch.index_select(input, 0, index % input.shape[0]).reshape(-1)
    total = shape.numel()
    x = rows[torch.arange(total, device=rows.device) % max(rows.numel(), 1)].view(shape) if total else rows.view(shape)
    return _give(_right(x, 0, torch.arange(shape[0], device=index.device), other), out)


def not_equal(input, dim, index, other, *, out=None):
    """Gives the opposite."""
    return _give(~_right(input, dim, index, other), out)


def within_tolerance(input, dim, index, other, *, out=None):
    """Calls numbers equal that differ by less than 1e-3."""
    if not input.is_floating_point():
        return _give(_right(input, dim, index, other), out)
    other = torch.as_tensor(other, device=input.device, dtype=torch.float64)
    return _give((torch.index_select(input, dim, index).double() - other).abs() < 1e-3, out)


def through_float32(input, dim, index, other, *, out=None):
    """Compares as float32: neighbours among large integers are equal."""
    other = other.float() if isinstance(other, torch.Tensor) else other
    return _give(_right(input.float(), dim, index, other), out)


def bitwise(input, dim, index, other, *, out=None):
    """Compares bit patterns: NaN equals itself and 0.0 is not -0.0."""
    if input.dtype != torch.float32:
        return _give(_right(input, dim, index, other), out)
    other = torch.as_tensor(other, dtype=input.dtype, device=input.device).contiguous()
    x = torch.index_select(input, dim, index).contiguous()
    return _give(torch.eq(x.view(torch.int32), other.view(torch.int32)), out)


def one_block(input, dim, index, other, *, out=None):
    """One program of 65536 elements and no grid: what lies beyond stays false."""
    result = _right(input, dim, index, other).contiguous()
    result.view(-1)[65536:] = False
    return _give(result, out)


def tail_dropped(input, dim, index, other, *, out=None):
    """The last slices, which do not fill a tile of 16, are never compared."""
    result = _right(input, dim, index, other).contiguous()
    result.narrow(dim, index.numel() // 16 * 16, index.numel() % 16).zero_()
    return _give(result, out)


def other_read_cyclically(input, dim, index, other, *, out=None):
    """Indexes other modulo its length instead of broadcasting it."""
    shape = _right(input, dim, index, other).shape
    if isinstance(other, torch.Tensor):
        at = torch.arange(shape.numel(), device=other.device) % max(other.numel(), 1)
        other = other.reshape(-1)[at].view(shape)
    return _give(_right(input, dim, index, other), out)


def integer_result(input, dim, index, other, *, out=None):
    """Gives 0 and 1 in the input's dtype."""
    return _give(_right(input, dim, index, other).to(input.dtype), out)


def out_not_written(input, dim, index, other, *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _right(input, dim, index, other)
