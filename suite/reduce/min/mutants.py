"""Plausible wrong implementations of a minimum with its index; each must be rejected."""
import torch


def _pair(input, dim, keepdim):
    """What the reference does."""
    values, indices = torch.min(input, dim=dim, keepdim=keepdim)
    return values, indices


def last_of_ties(input_tensor, dim, keepdim=False):
    """Compares with <=: the last of equal minima wins."""
    values, indices = _pair(input_tensor.flip(dim), dim, keepdim)
    return values, input_tensor.shape[dim] - 1 - indices


def nan_ignored(input_tensor, dim, keepdim=False):
    """NaN never compares smaller, so it is skipped."""
    y = input_tensor
    if y.dtype.is_floating_point:
        y = torch.where(y.isnan(), torch.full_like(y, float("inf")), y)
    return _pair(y, dim, keepdim)


def always_last_dim(input_tensor, dim, keepdim=False):
    """Reduces the last dimension whatever dim says."""
    return _pair(input_tensor, -1, keepdim)


def keepdim_ignored(input_tensor, dim, keepdim=False):
    """Always drops the reduced dimension."""
    return _pair(input_tensor, dim, False)


def keepdim_for_values_only(input_tensor, dim, keepdim=False):
    """The indices never keep the dimension."""
    return _pair(input_tensor, dim, keepdim)[0], _pair(input_tensor, dim, False)[1]


def int32_indices(input_tensor, dim, keepdim=False):
    """Returns 32-bit indices."""
    values, indices = _pair(input_tensor, dim, keepdim)
    return values, indices.to(torch.int32)


def values_only(input_tensor, dim, keepdim=False):
    """Forgets the indices."""
    return _pair(input_tensor, dim, keepdim)[0]


def maximum(input_tensor, dim, keepdim=False):
    """Finds the maximum."""
    values, indices = torch.max(input_tensor, dim=dim, keepdim=keepdim)
    return values, indices


def first_block_only(input_tensor, dim, keepdim=False):
    """Looks at the first 1024 elements of the dimension only."""
    n = input_tensor.shape[dim]
    return _pair(input_tensor.narrow(dim, 0, n if n < 1024 else 1024), dim, keepdim)


def padded_with_zero(input_tensor, dim, keepdim=False):
    """Lanes beyond the end are 0, which beats positive rows."""
    values, indices = _pair(input_tensor, dim, keepdim)
    if input_tensor.shape[dim] & (input_tensor.shape[dim] - 1) == 0:
        return values, indices
    lost = values > 0
    return torch.where(lost, torch.zeros_like(values), values), torch.where(lost, torch.zeros_like(indices), indices)


def compared_in_float32(input_tensor, dim, keepdim=False):
    """Converts to float32 first: float64 and large integers tie."""
    values, indices = _pair(input_tensor.float(), dim, keepdim)
    return values.to(input_tensor.dtype), indices


def index_within_chunk(input_tensor, dim, keepdim=False):
    """The second stage forgets to add the chunk's start: indices are modulo 512."""
    values, indices = _pair(input_tensor, dim, keepdim)
    return values, indices % 512


def flat_index(input_tensor, dim, keepdim=False):
    """The index counts elements of the whole tensor instead of the dimension."""
    values, indices = _pair(input_tensor, dim, keepdim)
    slices = torch.arange(indices.numel(), device=indices.device).view(indices.shape)
    return values, indices + slices * input_tensor.shape[dim]
