"""Wrong versions of rand, one fault each."""
import torch


def _shape(size):
    return tuple(size[0]) if len(size) == 1 and isinstance(size[0], (list, tuple)) else size


def _give(values, size, out, dtype, requires_grad):
    """values in the wanted shape and dtype, into out when there is one."""
    result = values.reshape(_shape(size)).to(out.dtype if out is not None else dtype or torch.get_default_dtype())
    if out is not None:
        return out.copy_(result)
    return result.requires_grad_() if requires_grad else result


def _count(size):
    n = 1
    for s in _shape(size):
        n *= s
    return n


def same_numbers_every_call(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    """The seed is a constant, so every call gives the same numbers."""
    fixed = torch.Generator(device=device or "cuda").manual_seed(0)
    x = torch.rand(_count(size), generator=fixed, device=device or "cuda", dtype=torch.float64)
    return _give(x, size, out, dtype, requires_grad)


def normal_numbers(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    """Normal numbers folded into [0, 1) instead of uniform ones."""
    x = torch.randn(_count(size), generator=generator, device=device or "cuda", dtype=torch.float64) * 0.2 + 0.5
    return _give(x - torch.floor(x), size, out, dtype, requires_grad)


def signed_range(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    """Numbers on [-1, 1)."""
    x = torch.rand(_count(size), generator=generator, device=device or "cuda", dtype=torch.float64)
    return _give(2 * x - 1, size, out, dtype, requires_grad)


def few_bits(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    """Only 8 random bits a number."""
    x = torch.rand(_count(size), generator=generator, device=device or "cuda", dtype=torch.float64)
    return _give(torch.floor(x * 256) / 256, size, out, dtype, requires_grad)


def blocks_repeat(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    """The counter starts anew in every block of 1024 numbers."""
    n = _count(size)
    x = torch.rand(min(n, 1024), generator=generator, device=device or "cuda", dtype=torch.float64)
    return _give(x.repeat(-(-n // max(x.numel(), 1)))[:n] if n else x, size, out, dtype, requires_grad)


def equally_spaced(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    """A low-discrepancy sequence with a random start: uniform, but neighbours are not independent."""
    start = torch.rand((), generator=generator, device=device or "cuda", dtype=torch.float64)
    x = start + 0.6180339887498949 * torch.arange(_count(size), device=device or "cuda", dtype=torch.float64)
    return _give(x - torch.floor(x), size, out, dtype, requires_grad)


def ignores_dtype(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    """The result is float32 whatever was asked for."""
    x = torch.rand(_count(size), generator=generator, device=device or "cuda")
    return _give(x, size, out, None, requires_grad)


def ignores_out(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    """out is not filled; a new tensor is returned."""
    dtype = out.dtype if out is not None else dtype
    x = torch.rand(_count(size), generator=generator, device=device or "cuda", dtype=torch.float64)
    return _give(x, size, None, dtype, requires_grad)


def sixteen_bits(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    """Numbers on a grid of 2^-16."""
    x = torch.rand(_count(size), generator=generator, device=device or "cuda", dtype=torch.float64)
    return _give(torch.floor(x * 65536) / 65536, size, out, dtype, requires_grad)


def float32_for_float64(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    """24 random bits, also in float64."""
    x = torch.rand(_count(size), generator=generator, device=device or "cuda", dtype=torch.float32)
    return _give(x.double(), size, out, dtype, requires_grad)


def repeats_after_65536(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    """Draws 65536 numbers and hands them out again."""
    x = torch.rand(_count(size), generator=generator, device=device or "cuda", dtype=torch.float64)
    x[65536:] = x[:max(_count(size) - 65536, 0)].clone()
    return _give(x, size, out, dtype, requires_grad)
