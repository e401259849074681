"""Plausible wrong implementations of the mean of input + alpha * other; each must be rejected."""
import torch


def _mean(total, dim, keepdim, dtype, out):
    """What the reference does once it has the sum."""
    dim = tuple(range(total.dim())) if dim is None else dim
    return torch.mean(total, dim=dim, keepdim=keepdim, dtype=dtype, out=out)


def alpha_ignored(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    """Adds other unscaled."""
    return _mean(torch.add(input, other), dim, keepdim, dtype, out)


def alpha_on_input(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    """Scales the wrong operand."""
    return _mean(input * alpha + other, dim, keepdim, dtype, out)


def sum_not_mean(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    """Forgets to divide."""
    total = torch.add(input, other, alpha=alpha)
    dim = tuple(range(total.dim())) if dim is None else dim
    return torch.sum(total, dim=dim, keepdim=keepdim, dtype=dtype, out=out)


def divides_by_padded_length(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    """Divides by the power-of-two block size instead of the number of elements."""
    total = torch.add(input, other, alpha=alpha)
    dims = range(total.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    n = 1
    for d in dims:
        n *= total.shape[d]
    mean = _mean(total, dim, keepdim, dtype, None) * (n / (1 << max(n - 1, 0).bit_length()))
    return mean if out is None else out.copy_(mean)


def last_dim_only(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    """Reduces the last dimension whatever dim says."""
    total = torch.add(input, other, alpha=alpha)
    mean = torch.mean(total, dim=-1, keepdim=keepdim, dtype=dtype)
    return mean if out is None else out.resize_(mean.shape).copy_(mean)


def keepdim_ignored(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    """Always drops the reduced dimensions."""
    return _mean(torch.add(input, other, alpha=alpha), dim, False, dtype, out)


def dtype_ignored(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    """Returns the inputs' dtype whatever is asked for."""
    return _mean(torch.add(input, other, alpha=alpha), dim, keepdim, None, out)


def out_not_written(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _mean(torch.add(input, other, alpha=alpha), dim, keepdim, dtype, None)


def half_accumulator(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    """Keeps the sum in the inputs' dtype before it divides: float16 overflows."""
    total = torch.add(input, other, alpha=alpha)
    if total.dtype in (torch.float16, torch.bfloat16) and isinstance(dim, int):
        return torch.sum(total, dim=dim, keepdim=keepdim).div(total.shape[dim]).to(dtype or total.dtype)
    return _mean(total, dim, keepdim, dtype, out)


def one_block(input, other, dim=None, alpha=1, keepdim=False, dtype=None, out=None):
    """A full reduction by one program of 4096 elements: the rest is not added."""
    total = torch.add(input, other, alpha=alpha)
    if dim is None:
        total = total.clone()
        total.view(-1)[4096:] = 0
    return _mean(total, dim, keepdim, dtype, out)
