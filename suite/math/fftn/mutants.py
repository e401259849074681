"""Plausible wrong implementations of an n-dimensional FFT; each must be rejected."""
import torch


def _give(result, out):
    """The result, or out filled with it."""
    return result if out is None else out.copy_(result)


def inverse(input, s=None, dim=None, norm=None, out=None):
    """The wrong sign in the exponent."""
    reference = torch.fft.fftn(input, s=s, dim=dim, norm=norm)
    opposite = {"forward": "backward", "ortho": "ortho"}.get(norm, "forward")
    return _give(torch.fft.ifftn(input, s=s, dim=dim, norm=opposite).to(reference.dtype), out)


def norm_ignored(input, s=None, dim=None, norm=None, out=None):
    """Never scales."""
    return _give(torch.fft.fftn(input, s=s, dim=dim), out)


def ortho_is_forward(input, s=None, dim=None, norm=None, out=None):
    """Divides by the size where its root is asked for."""
    return _give(torch.fft.fftn(input, s=s, dim=dim, norm="forward" if norm == "ortho" else norm), out)


def scaled_by_the_input(input, s=None, dim=None, norm=None, out=None):
    """Scales by the number of elements of input, whatever s and dim say."""
    result = torch.fft.fftn(input, s=s, dim=dim)
    factor = {"forward": 1 / max(input.numel(), 1), "ortho": max(input.numel(), 1) ** -0.5}.get(norm, 1.0)
    return _give(result * factor, out)


def all_dimensions(input, s=None, dim=None, norm=None, out=None):
    """Ignores dim where s is not given."""
    return _give(torch.fft.fftn(input, s=s, dim=dim if s is not None or input.numel() == 0 else None, norm=norm), out)


def last_dimension_only(input, s=None, dim=None, norm=None, out=None):
    """A one-dimensional transform."""
    right = torch.fft.fftn(input, s=s, dim=dim, norm=norm)
    one = torch.fft.fft(input, n=right.shape[-1], norm=norm) if input.numel() > 0 else right
    return _give(one if one.shape == right.shape else torch.zeros_like(right), out)


def s_ignored(input, s=None, dim=None, norm=None, out=None):
    """Transforms the whole dimensions, then cuts or pads the spectrum."""
    right = torch.fft.fftn(input, s=s, dim=dim, norm=norm)
    if s is None:
        return _give(right, out)
    whole = torch.fft.fftn(input, dim=dim if dim is not None else tuple(range(-len(s), 0)), norm=norm)
    wrong = torch.zeros_like(right)
    part = tuple(slice(0, min(a, b)) for a, b in zip(right.shape, whole.shape))
    wrong[part] = whole[part]
    return _give(wrong, out)


def padded_in_front(input, s=None, dim=None, norm=None, out=None):
    """Puts the zeros before the data."""
    if s is None or dim is not None or any(n < size for n, size in zip(s, input.shape[-len(s):])):
        return _give(torch.fft.fftn(input, s=s, dim=dim, norm=norm), out)
    pads = [p for n, size in zip(reversed(s), reversed(input.shape)) for p in (n - size, 0)]
    return _give(torch.fft.fftn(torch.nn.functional.pad(input, pads), s=s, norm=norm), out)


def cut_around_the_centre(input, s=None, dim=None, norm=None, out=None):
    """Keeps the middle of a dimension instead of its beginning."""
    if s is None or dim is not None or any(n > size for n, size in zip(s, input.shape[-len(s):])):
        return _give(torch.fft.fftn(input, s=s, dim=dim, norm=norm), out)
    x = input
    for d, n in zip(range(-len(s), 0), s):
        x = x.narrow(d, (x.shape[d] - n) // 2, n)
    return _give(torch.fft.fftn(x, s=s, norm=norm), out)


def s_ignored_for_complex(input, s=None, dim=None, norm=None, out=None):
    """Cuts and pads real input only."""
    right = torch.fft.fftn(input, s=s, dim=dim, norm=norm)
    if s is None or dim is not None or not input.is_complex():
        return _give(right, out)
    whole = torch.fft.fftn(input, dim=tuple(range(-len(s), 0)), norm=norm)
    part = tuple(slice(0, n) for n in right.shape)
    return _give(whole[part].contiguous(), out)


def s_in_the_order_of_dimensions(input, s=None, dim=None, norm=None, out=None):
    """Sorts dim, but not s with it."""
    if s is None or dim is None:
        return _give(torch.fft.fftn(input, s=s, dim=dim, norm=norm), out)
    right = torch.fft.fftn(input, s=s, dim=dim, norm=norm)
    wrong = torch.fft.fftn(input, s=s, dim=sorted(d % input.dim() for d in dim), norm=norm)
    return _give(wrong if wrong.shape == right.shape else torch.zeros_like(right), out)


def imaginary_part_dropped(input, s=None, dim=None, norm=None, out=None):
    """Reads complex input as its real part."""
    x = input.real if input.is_complex() else input
    return _give(torch.fft.fftn(x, s=s, dim=dim, norm=norm), out)


def half_spectrum(input, s=None, dim=None, norm=None, out=None):
    """Of real input only the first half of the last dimension is computed; the rest stays 0."""
    result = torch.fft.fftn(input, s=s, dim=dim, norm=norm).clone()
    if not input.is_complex():
        result[..., result.shape[-1] // 2 + 1:] = 0
    return _give(result, out)


def bit_reversed(input, s=None, dim=None, norm=None, out=None):
    """A radix 2 transform that forgets to put the last dimension's results in order."""
    result = torch.fft.fftn(input, s=s, dim=dim, norm=norm)
    n = result.shape[-1]
    if n & (n - 1) == 0 and n > 2:
        bits = n.bit_length() - 1
        order = torch.tensor([int(format(i, f"0{bits}b")[::-1], 2) for i in range(n)], device=result.device)
        result = result[..., order]
    return _give(result, out)


def powers_of_two_only(input, s=None, dim=None, norm=None, out=None):
    """Pads the last dimension to a power of two."""
    right = torch.fft.fftn(input, s=s, dim=dim, norm=norm)
    n = right.shape[-1]
    if s is not None or dim is not None or n & (n - 1) == 0:
        return _give(right, out)
    longer = list(input.shape[:-1]) + [1 << n.bit_length()]
    return _give(torch.fft.fftn(input, s=longer, norm=norm)[..., :n].contiguous(), out)


def tf32(input, s=None, dim=None, norm=None, out=None):
    """The products run in TF32: ten bits of the input remain."""
    parts = torch.view_as_real(input) if input.is_complex() else input
    if parts.dtype == torch.float32:
        parts = ((parts.contiguous().view(torch.int32) + 4096) & -8192).view(torch.float32)
    else:
        parts = parts.float().to(parts.dtype)
    x = torch.view_as_complex(parts.contiguous()) if input.is_complex() else parts
    return _give(torch.fft.fftn(x, s=s, dim=dim, norm=norm), out)


def angles_in_single_precision(input, s=None, dim=None, norm=None, out=None):
    """cos and sin of a float32 angle 2 pi j k / n that was not reduced first."""
    result = torch.fft.fftn(input, s=s, dim=dim, norm=norm)
    if input.dim() > 1 or s is not None or result.dtype == torch.complex128 or norm is not None:
        return _give(result, out)
    j = torch.arange(input.numel(), device=input.device, dtype=torch.float32)
    angle = j[:, None] * j[None, :] * (-6.2831855 / input.numel())
    x = input.to(torch.complex64)
    return _give(torch.complex(torch.cos(angle), torch.sin(angle)) @ x, out)


def in_memory_order(input, s=None, dim=None, norm=None, out=None):
    """Reads the input as it lies in memory, whatever its strides are."""
    x = input
    if x.numel() > 0 and 0 not in x.stride():
        x = x.as_strided((x.numel(),), (1,)).view(x.shape)
    return _give(torch.fft.fftn(x, s=s, dim=dim, norm=norm), out)


def through_single_precision(input, s=None, dim=None, norm=None, out=None):
    """Computes double precision in single precision: large numbers become inf."""
    result = torch.fft.fftn(input, s=s, dim=dim, norm=norm)
    x = input.to(torch.complex64)
    return _give(torch.fft.fftn(x, s=s, dim=dim, norm=norm).to(result.dtype), out)


def always_complex64(input, s=None, dim=None, norm=None, out=None):
    """The result is complex64 whatever the input is."""
    result = torch.fft.fftn(input, s=s, dim=dim, norm=norm).to(torch.complex64)
    return _give(result, out)


def out_not_written(input, s=None, dim=None, norm=None, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.fft.fftn(input, s=s, dim=dim, norm=norm)


def one_block(input, s=None, dim=None, norm=None, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.fft.fftn(input, s=s, dim=dim, norm=norm).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)
