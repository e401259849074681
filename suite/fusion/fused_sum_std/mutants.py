"""Plausible wrong implementations of the standard deviation of sums; each must be rejected."""
import torch


def _shaped(result, input, keepdim):
    return result.reshape([1] * input.dim()) if keepdim else result


def _give(result, out):
    return result if out is None else out.copy_(result)


def _sums(input, dim, dtype):
    return torch.sum(input, dim=dim, dtype=dtype).flatten()


def always_zero(input, dim=None, keepdim=False, dtype=None, correction=1, out=None):
    """Right only where there is one sum."""
    return _give(_shaped(torch.zeros((), dtype=dtype or input.dtype, device=input.device), input, keepdim), out)


def std_of_the_input(input, dim=None, keepdim=False, dtype=None, correction=1, out=None):
    """Never sums: the deviation of the elements."""
    return _give(_shaped(torch.std(input.to(dtype or input.dtype)), input, keepdim), out)


def correction_ignored(input, dim=None, keepdim=False, dtype=None, correction=1, out=None):
    """Always divides by n - 1."""
    if dim is None:
        return always_zero(input, dim, keepdim, dtype, correction, out)
    return _give(_shaped(torch.std(_sums(input, dim, dtype)), input, keepdim), out)


def variance(input, dim=None, keepdim=False, dtype=None, correction=1, out=None):
    """Forgets the root."""
    if dim is None:
        return always_zero(input, dim, keepdim, dtype, correction, out)
    return _give(_shaped(torch.var(_sums(input, dim, dtype), correction=correction), input, keepdim), out)


def means_not_sums(input, dim=None, keepdim=False, dtype=None, correction=1, out=None):
    """Averages along dim instead of adding up."""
    if dim is None:
        return always_zero(input, dim, keepdim, dtype, correction, out)
    means = torch.mean(input, dim=dim, dtype=dtype).flatten()
    return _give(_shaped(torch.std(means, dim=0, correction=correction), input, keepdim), out)


def wrong_dim(input, dim=None, keepdim=False, dtype=None, correction=1, out=None):
    """Sums over the last dimension whatever dim says."""
    if dim is None:
        return always_zero(input, dim, keepdim, dtype, correction, out)
    return _give(_shaped(torch.std(_sums(input, -1, dtype), dim=0, correction=correction), input, keepdim), out)


def squares_cancel(input, dim=None, keepdim=False, dtype=None, correction=1, out=None):
    """E[s^2] - E[s]^2: no digits are left when the sums are far from zero."""
    if dim is None:
        return always_zero(input, dim, keepdim, dtype, correction, out)
    s = _sums(input, dim, dtype)
    n = s.numel()
    spread = (s * s).sum() / n - (s.sum() / n) ** 2
    return _give(_shaped(torch.sqrt(spread.clamp(min=0) * n / (n - correction)), input, keepdim), out)


def keepdim_ignored(input, dim=None, keepdim=False, dtype=None, correction=1, out=None):
    """The result is 0-d in any case."""
    if dim is None:
        return always_zero(input, dim, keepdim, dtype, correction, out)
    return _give(torch.std(_sums(input, dim, dtype), dim=0, correction=correction), out)


def first_block_of_sums(input, dim=None, keepdim=False, dtype=None, correction=1, out=None):
    """One program of 1024 sums: the others do not count."""
    if dim is None:
        return always_zero(input, dim, keepdim, dtype, correction, out)
    return _give(_shaped(torch.std(_sums(input, dim, dtype)[:1024], dim=0, correction=correction), input, keepdim), out)


def out_not_written(input, dim=None, keepdim=False, dtype=None, correction=1, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    if dim is None:
        return always_zero(input, dim, keepdim, dtype, correction)
    return _shaped(torch.std(_sums(input, dim, dtype), dim=0, correction=correction), input, keepdim)
