"""Plausible wrong implementations of an inverse FFT shift; each must be rejected."""
import torch


def _dims(input, dim):
    dims = range(input.dim()) if dim is None else [dim] if isinstance(dim, int) else dim
    return [d % input.dim() for d in dims]


def fftshift(input, dim=None):
    """The other shift: the same for even sizes only."""
    return torch.fft.fftshift(input, dim)


def halves_swapped(input, dim=None):
    """Swaps two halves of n // 2 elements: with an odd size the last element stays where it is."""
    for d in _dims(input, dim):
        half = input.shape[d] // 2
        first, second, rest = input.split([half, half, input.shape[d] - 2 * half], d)
        input = torch.cat([second, first, rest], d)
    return input.clone()


def dim_ignored(input, dim=None):
    """Shifts every dimension."""
    return torch.fft.ifftshift(input)


def last_dim_only(input, dim=None):
    """Shifts the last dimension whatever dim says."""
    return torch.fft.ifftshift(input, -1) if input.dim() > 0 else input.clone()


def first_of_dims(input, dim=None):
    """Of several dimensions it shifts the first."""
    dims = _dims(input, dim)
    return torch.fft.ifftshift(input, dims[:1])


def flattened(input, dim=None):
    """Shifts the flattened tensor by half its size."""
    return torch.fft.ifftshift(input.reshape(-1)).reshape(input.shape)


def reversed_order(input, dim=None):
    """Reverses instead of shifting."""
    return torch.flip(input, _dims(input, dim))


def not_shifted(input, dim=None):
    """Returns a copy."""
    return input.clone()


def dim_counted_from_the_end(input, dim=None):
    """Takes dim for the position from the end."""
    return torch.fft.ifftshift(input, [input.dim() - 1 - d for d in _dims(input, dim)])


def in_memory_order(input, dim=None):
    """Reads the elements as they lie in memory, whatever the strides are."""
    if 0 in input.stride() or input.numel() == 0:
        return torch.fft.ifftshift(input, dim)
    return torch.fft.ifftshift(input.as_strided((input.numel(),), (1,)).view(input.shape), dim)


def through_float32(input, dim=None):
    """Moves everything as float32: large integers and float64 lose digits."""
    x = input if input.is_complex() else input.float()
    return torch.fft.ifftshift(x, dim).to(input.dtype)


def imaginary_parts_dropped(input, dim=None):
    """Moves the real parts only."""
    result = torch.fft.ifftshift(input, dim)
    return torch.complex(result.real, torch.zeros_like(result.real)) if result.is_complex() else result


def one_block(input, dim=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.fft.ifftshift(input, dim).contiguous()
    result.view(-1)[4096:] = 0
    return result


def tail_dropped(input, dim=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.fft.ifftshift(input, dim).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return result
