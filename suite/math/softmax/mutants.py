"""Plausible wrong softmax implementations; each must be rejected."""
import torch


def wrong_axis(input, dim, dtype=None):
    """Always works along the last dimension."""
    return torch.softmax(input, -1, dtype=dtype)


def no_max_subtraction(input, dim, dtype=None):
    """Exponentiates the logits as they are: overflows, underflows."""
    e = torch.exp(input.to(dtype or input.dtype))
    return e / e.sum(dim, keepdim=True)


def dtype_ignored(input, dim, dtype=None):
    """Returns the input's dtype whatever is asked for."""
    return torch.softmax(input, dim)


def first_block_only(input, dim, dtype=None):
    """One block of 4096 elements along the dimension and no loop: what lies beyond stays 0."""
    result = torch.zeros_like(input, dtype=dtype or input.dtype)
    length = min(4096, input.shape[dim])
    result.narrow(dim, 0, length).copy_(torch.softmax(input.narrow(dim, 0, length), dim, dtype=dtype))
    return result


def padded_with_zero(input, dim, dtype=None):
    """The tail of the power-of-two block is loaded as 0 instead of -inf, so it counts in the sum."""
    n = input.shape[dim]
    shape = list(input.shape)
    shape[dim] = (1 << n.bit_length()) - n
    padded = torch.cat([input, input.new_zeros(shape)], dim)
    return torch.softmax(padded, dim, dtype=dtype).narrow(dim, 0, n)


def global_maximum(input, dim, dtype=None):
    """Subtracts the maximum of the whole tensor: slices far below it underflow to 0 / 0."""
    x = input.to(dtype or input.dtype)
    e = torch.exp(x - x.max()) if x.numel() else x
    return e / e.sum(dim, keepdim=True)


def reads_as_contiguous(input, dim, dtype=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    flat = input.as_strided((length,), (1,))
    x = flat[torch.arange(input.numel(), device=input.device) % max(length, 1)].view(input.shape)
    return torch.softmax(x, dim, dtype=dtype)


def stops_at_65536(input, dim, dtype=None):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = torch.softmax(input, dim, dtype=dtype).contiguous()
    result.view(-1)[65536:] = 0
    return result
