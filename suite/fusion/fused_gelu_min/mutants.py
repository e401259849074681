"""Plausible wrong implementations of the smallest value of GELU; each must be rejected."""
import torch


def _gelu(input, approximate):
    """GELU in float32 at least."""
    wide = torch.promote_types(input.dtype, torch.float32)
    return torch.nn.functional.gelu(input.to(wide), approximate=approximate)


def _pick(y, dtype, dim, keepdim, out):
    """What the reference does once it has the elements."""
    if dim is None:
        result = torch.min(y).to(dtype)
        return result if out is None else out.copy_(result)
    values, indices = torch.min(y, dim=dim, keepdim=keepdim)
    return values.to(dtype), indices


def linear_term_missing(input, approximate="none", dim=None, keepdim=False, out=None):
    """x * erf(x / sqrt(2)) / 2: the x / 2 term is forgotten, as in the published reference."""
    y = _gelu(input, approximate)
    if approximate == "none":
        y = y - 0.5 * input
    return _pick(y, input.dtype, dim, keepdim, out)


def gelu_of_minimum(input, approximate="none", dim=None, keepdim=False, out=None):
    """Takes the smallest input first: GELU is not monotone."""
    if dim is None:
        return _pick(_gelu(input.min(), approximate), input.dtype, None, keepdim, out)
    values, indices = torch.min(input, dim=dim, keepdim=keepdim)
    return _gelu(values, approximate).to(input.dtype), indices


def tanh_for_erf(input, approximate="none", dim=None, keepdim=False, out=None):
    """Uses the tanh form whatever is asked for."""
    return _pick(_gelu(input, "tanh"), input.dtype, dim, keepdim, out)


def erf_for_tanh(input, approximate="none", dim=None, keepdim=False, out=None):
    """Uses the exact form whatever is asked for."""
    return _pick(_gelu(input, "none"), input.dtype, dim, keepdim, out)


def constant_of_the_valley(input, approximate="none", dim=None, keepdim=False, out=None):
    """-0.17, the smallest value GELU has anywhere."""
    y = _gelu(input, approximate)
    if dim is None:
        return _pick(torch.full_like(y.reshape(-1)[:1], -0.16997), input.dtype, None, keepdim, out)
    return _pick(y.clamp(max=-0.16997), input.dtype, dim, keepdim, out)


def last_of_ties(input, approximate="none", dim=None, keepdim=False, out=None):
    """Compares with <=: the last of equal minima wins."""
    y = _gelu(input, approximate)
    if dim is None:
        return _pick(y, input.dtype, dim, keepdim, out)
    values, indices = _pick(y.flip(dim), input.dtype, dim, keepdim, None)
    return values, input.shape[dim] - 1 - indices


def nan_ignored(input, approximate="none", dim=None, keepdim=False, out=None):
    """NaN never compares smaller, so it is skipped."""
    return _pick(_gelu(torch.where(input != input, 1e30, input), approximate), input.dtype, dim, keepdim, out)


def maximum(input, approximate="none", dim=None, keepdim=False, out=None):
    """Finds the maximum."""
    y = _gelu(input, approximate)
    if dim is None:
        result = y.max().to(input.dtype)
        return result if out is None else out.copy_(result)
    values, indices = torch.max(y, dim=dim, keepdim=keepdim)
    return values.to(input.dtype), indices


def values_only(input, approximate="none", dim=None, keepdim=False, out=None):
    """Forgets the indices."""
    result = _pick(_gelu(input, approximate), input.dtype, dim, keepdim, out)
    return result if dim is None else result[0]


def keepdim_ignored(input, approximate="none", dim=None, keepdim=False, out=None):
    """Always drops the reduced dimension."""
    return _pick(_gelu(input, approximate), input.dtype, dim, False, out)


def always_last_dim(input, approximate="none", dim=None, keepdim=False, out=None):
    """Reduces the last dimension whatever dim says."""
    return _pick(_gelu(input, approximate), input.dtype, None if dim is None else -1, keepdim, out)


def out_not_written(input, approximate="none", dim=None, keepdim=False, out=None):
    """Returns fresh tensors and leaves out as it was."""
    return _pick(_gelu(input, approximate), input.dtype, dim, keepdim, None)


def padded_with_zero(input, approximate="none", dim=None, keepdim=False, out=None):
    """Lanes beyond the end are 0, whose GELU is 0: it beats positive elements."""
    y = _gelu(input, approximate)
    if dim is None:
        return _pick(torch.cat([y.reshape(-1), y.new_zeros(1)]), input.dtype, None, keepdim, out)
    return _pick(torch.cat([y, torch.zeros_like(y.narrow(dim, 0, 1))], dim), input.dtype, dim, keepdim, out)


def first_block_only(input, approximate="none", dim=None, keepdim=False, out=None):
    """Looks at the first 1024 elements of what is reduced only."""
    y = _gelu(input, approximate)
    if dim is None:
        return _pick(y.reshape(-1)[:1024], input.dtype, None, keepdim, out)
    return _pick(y.narrow(dim, 0, min(1024, y.shape[dim])), input.dtype, dim, keepdim, out)


def index_within_chunk(input, approximate="none", dim=None, keepdim=False, out=None):
    """The second stage forgets to add the chunk's start: indices are modulo 512."""
    result = _pick(_gelu(input, approximate), input.dtype, dim, keepdim, out)
    return result if dim is None else (result[0], result[1].remainder_(512))
