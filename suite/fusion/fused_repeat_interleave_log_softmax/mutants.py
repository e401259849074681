"""Plausible wrong versions of repeating and log-softmax; each must be rejected."""
import torch


def _repeated(input, repeats, dim):
    return torch.repeat_interleave(input, repeats, dim=dim)


def _give(result, out):
    return result if out is None else out.copy_(result)


def softmax_first(input, repeats, dim=None, *, output_size=None, dtype=None, out=None):
    """Normalizes before it repeats: the copies do not count in the sum."""
    x = input.flatten() if dim is None else input
    dim = 0 if dim is None else dim
    return _give(_repeated(torch.log_softmax(x, dim, dtype=dtype), repeats, dim), out)


def tiled_not_interleaved(input, repeats, dim=None, *, output_size=None, dtype=None, out=None):
    """Appends whole copies of the input: [a, b, a, b]."""
    x = input.flatten() if dim is None else input
    dim = 0 if dim is None else dim
    repeated = torch.cat([x] * repeats, dim) if isinstance(repeats, int) else _repeated(x, repeats, dim)
    return _give(torch.log_softmax(repeated, dim, dtype=dtype), out)


def no_logarithm(input, repeats, dim=None, *, output_size=None, dtype=None, out=None):
    """Softmax."""
    return _give(torch.softmax(_repeated(input, repeats, dim), 0 if dim is None else dim, dtype=dtype), out)


def last_axis(input, repeats, dim=None, *, output_size=None, dtype=None, out=None):
    """The log-softmax always runs along the last dimension."""
    return _give(torch.log_softmax(_repeated(input, repeats, dim), -1, dtype=dtype), out)


def no_max_subtraction(input, repeats, dim=None, *, output_size=None, dtype=None, out=None):
    """Exponentiates the values as they are."""
    z = _repeated(input, repeats, dim).to(dtype or input.dtype)
    return _give(z - torch.log(torch.exp(z).sum(0 if dim is None else dim, keepdim=True)), out)


def dtype_ignored(input, repeats, dim=None, *, output_size=None, dtype=None, out=None):
    """Returns the input's dtype whatever is asked for."""
    return _give(torch.log_softmax(_repeated(input, repeats, dim), 0 if dim is None else dim), out)


def first_count_for_all(input, repeats, dim=None, *, output_size=None, dtype=None, out=None):
    """Reads repeats as if all its elements were the mean one, cut or padded to the right length."""
    right = _repeated(input, repeats, dim)
    axis = 0 if dim is None else dim
    if not isinstance(repeats, int):
        x = _repeated(input, max(int(repeats.max()), 1), dim)
        right = x.narrow(axis, 0, right.shape[axis])
    return _give(torch.log_softmax(right, axis, dtype=dtype), out)


def sum_with_small_constant(input, repeats, dim=None, *, output_size=None, dtype=None, out=None):
    """Adds 1e-3 to the sum of exponentials, to be safe."""
    z = _repeated(input, repeats, dim).to(dtype or input.dtype)
    axis = 0 if dim is None else dim
    z = z - z.amax(axis, keepdim=True)
    return _give(z - torch.log(torch.exp(z).sum(axis, keepdim=True) + 1e-3), out)


def out_not_written(input, repeats, dim=None, *, output_size=None, dtype=None, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.log_softmax(_repeated(input, repeats, dim), 0 if dim is None else dim, dtype=dtype)


def row_cut_at_4096(input, repeats, dim=None, *, output_size=None, dtype=None, out=None):
    """One block of at most 4096 elements a row: the rest does not enter the sum."""
    x = torch.repeat_interleave(input, repeats, dim=dim, output_size=output_size)
    along = 0 if dim is None else dim
    x = x if dtype is None else x.to(dtype)
    first = x.narrow(along, 0, min(4096, x.shape[along]))
    result = x - torch.logsumexp(first, along, keepdim=True)
    return result if out is None else out.copy_(result)
