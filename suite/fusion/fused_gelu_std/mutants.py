"""Plausible wrong implementations of a standard deviation of GELU; each must be rejected."""
import torch


def _dims(input, dim):
    """The dimensions as a sorted list of numbers from 0 on."""
    dims = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    return sorted(d % max(input.dim(), 1) for d in dims)


def _wide(input):
    """At least float32."""
    return input.to(torch.promote_types(input.dtype, torch.float32))


def _gelu(input, approximate):
    """GELU in float32 at least."""
    return torch.nn.functional.gelu(_wide(input), approximate=approximate)


def _give(y, dtype, out):
    """What every version does with its result."""
    y = y.to(dtype)
    return y if out is None or out.shape != y.shape else out.copy_(y)


def _std(y, dim, correction, keepdim):
    """The deviation as it should be."""
    return torch.std(y, dim=_dims(y, dim), correction=correction, keepdim=keepdim)


def single_pass(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """E[y^2] - E[y]^2 in float32: nothing is left of it where the mean is large."""
    y = _gelu(input, approximate)
    dims = _dims(y, dim)
    mean = y.mean(dims, keepdim=keepdim)
    n = max(y.numel() // max(mean.numel(), 1), 1)
    spread = ((y * y).mean(dims, keepdim=keepdim) - mean * mean).clamp(min=0)
    return _give(torch.sqrt(spread * n / (n - correction)), input.dtype, out)


def correction_ignored(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Always divides by n - 1."""
    return _give(_std(_gelu(input, approximate), dim, 1, keepdim), input.dtype, out)


def population(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Always divides by n."""
    return _give(_std(_gelu(input, approximate), dim, 0, keepdim), input.dtype, out)


def variance(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Forgets the root."""
    return _give(_std(_gelu(input, approximate), dim, correction, keepdim) ** 2, input.dtype, out)


def keepdim_ignored(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Always drops the reduced dimensions."""
    return _give(_std(_gelu(input, approximate), dim, correction, False), input.dtype, out)


def last_dim_only(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Reduces the last dimension whatever dim says."""
    return _give(_std(_gelu(input, approximate), -1, correction, keepdim), input.dtype, out)


def first_of_several_dims(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Of several dimensions only the first is reduced."""
    return _give(_std(_gelu(input, approximate), _dims(input, dim)[:1], correction, keepdim), input.dtype, out)


def out_not_written(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _give(_std(_gelu(input, approximate), dim, correction, keepdim), input.dtype, None)


def mean_over_everything(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Subtracts the mean of the whole tensor instead of each slice's."""
    y = _gelu(input, approximate)
    dims = _dims(y, dim)
    squares = ((y - y.mean()) ** 2).sum(dims, keepdim=keepdim)
    n = y.numel() // max(squares.numel(), 1)
    return _give(torch.sqrt(squares / (n - correction)), input.dtype, out)


def padding_counts(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Lanes beyond the end are 0 and their distance from the mean is added too."""
    y = _gelu(input, approximate)
    dims = _dims(y, dim)
    mean = y.mean(dims, keepdim=True)
    squares = ((y - mean) ** 2).sum(dims, keepdim=True)
    n = y.numel() // max(mean.numel(), 1)
    squares = squares + ((1 << max(n - 1, 0).bit_length()) - n) * mean * mean
    result = torch.sqrt(squares / (n - correction))
    return _give(result.reshape(_std(y, dim, correction, keepdim).shape), input.dtype, out)


def chunks_not_merged(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Averages the variances of chunks of 64 elements: what their means differ by is lost."""
    y = _gelu(input, approximate)
    if not isinstance(dim, int) or y.dim() == 0 or y.shape[dim] < 128 or y.shape[dim] % 64:
        return _give(_std(y, dim, correction, keepdim), input.dtype, out)
    parts = torch.stack([p.var(dim, correction=0, keepdim=keepdim) for p in y.split(64, dim)])
    n = y.shape[dim]
    return _give(torch.sqrt(parts.mean(0) * n / (n - correction)), input.dtype, out)


def first_block_only(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Looks at the first 4096 elements of a dimension only."""
    y = _gelu(input, approximate)
    for d in _dims(y, dim):
        y = y.narrow(d, 0, min(4096, y.shape[d]))
    return _give(_std(y, dim, correction, keepdim), input.dtype, out)


def half_arithmetic(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Squares half precision in half precision."""
    y = _gelu(input, approximate)
    if input.dtype not in (torch.float16, torch.bfloat16):
        return _give(_std(y, dim, correction, keepdim), input.dtype, out)
    dims = _dims(y, dim)
    y = y.to(input.dtype)
    squares = (y - y.mean(dims, keepdim=True)) ** 2
    total = squares.float().sum(dims, keepdim=keepdim)
    n = y.numel() // max(total.numel(), 1)
    return _give(torch.sqrt(total / (n - correction)), input.dtype, out)


def tanh_for_erf(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Uses the tanh form whatever is asked for."""
    y = _gelu(input, "tanh")
    return _give(_std(y, dim, correction, keepdim), input.dtype, out)


def erf_for_tanh(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """Uses the exact form whatever is asked for."""
    y = _gelu(input, "none")
    return _give(_std(y, dim, correction, keepdim), input.dtype, out)


def gelu_of_std(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """The deviation first."""
    y = _std(_wide(input), dim, correction, keepdim)
    return _give(torch.nn.functional.gelu(y, approximate=approximate), input.dtype, out)


def gelu_forgotten(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """The deviation of the input."""
    return _give(_std(_wide(input), dim, correction, keepdim), input.dtype, out)
