"""Plausible wrong implementations of permute_copy; each must be rejected."""
import torch


def _storage_order(x):
    """The storage of x read in row-major order, as far as it goes that far."""
    room = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
    return x if room < x.numel() else x.as_strided((x.numel(),), (1,)).view(x.shape)


def inverse(input, dims):
    """Applies the inverse permutation; laid out in the right shape."""
    right = input.permute(dims)
    inverse = [0] * input.dim()
    for i, d in enumerate(dims):
        inverse[d % input.dim()] = i
    return input.permute(inverse).reshape(right.shape).clone()


def reshaped(input, dims):
    """The elements in their old order, in the new shape."""
    return input.reshape(input.permute(dims).shape).clone()


def always_reversed(input, dims):
    """Reverses the dimensions whatever dims says; laid out in the right shape."""
    return input.permute(tuple(range(input.dim()))[::-1]).reshape(input.permute(dims).shape).clone()


def negative_dims_clipped(input, dims):
    """Takes a negative dimension for the first one still free."""
    given = [d for d in dims if d >= 0]
    free = iter(d for d in range(input.dim()) if d not in given)
    order = [d if d >= 0 else next(free) for d in dims]
    return input.permute(order).reshape(input.permute(dims).shape).clone()


def strides_ignored(input, dims):
    """Reads the storage of input in row-major order whatever its strides."""
    x = _storage_order(input)
    return x.permute(dims).contiguous()


def through_float32(input, dims):
    """Copies through float32."""
    return input.permute(dims).contiguous().float().to(input.dtype)


def whole_tiles_only(input, dims):
    """Copies whole tiles of 32 x 32 in the last two dimensions."""
    y = input.permute(dims).contiguous().clone()
    if y.dim() > 1:
        y[..., y.shape[-2] // 32 * 32:, :] = 0
        y[..., y.shape[-1] // 32 * 32:] = 0
    return y


def one_block(input, dims):
    """Copies 65536 elements and no more."""
    y = input.permute(dims).contiguous().clone()
    y.view(-1)[65536:] = 0
    return y


def rows_cut(input, dims):
    """Copies 4096 rows and no more."""
    y = input.permute(dims).contiguous().clone()
    if y.dim() > 0:
        y[4096:] = 0
    return y


def clears_signs_of_zero(input, dims):
    """Adds zero on the way."""
    if input.dtype == torch.bool:
        return input.permute(dims).contiguous()
    x = input.permute(dims).contiguous()
    return torch.where(x.isnan(), torch.zeros_like(x), x) + 0


def a_view(input, dims):
    """Returns a strided view of input."""
    return input.permute(dims)


def input_for_the_identity(input, dims):
    """Returns input itself where the order does not change."""
    return input if [d % input.dim() for d in dims] == list(range(input.dim())) else input.permute(dims).contiguous().clone()
