"""Plausible wrong implementations of J1; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def order_zero(input, out=None):
    """J0."""
    return _give(torch.special.bessel_j0(input), out)


def modified(input, out=None):
    """The modified Bessel function I1."""
    return _give(torch.special.i1(input), out)


def even(input, out=None):
    """Forgets that it is odd."""
    return _give(torch.special.bessel_j1(input.abs()), out)


def short_series(input, out=None):
    """Five terms of the power series: right near 0 only."""
    z = input * input / 4
    return _give(input / 2 * (1 - z / 2 + z**2 / 12 - z**3 / 144 + z**4 / 2880), out)


def long_series(input, out=None):
    """Twenty terms of the power series in float32: no digits are left beyond 15."""
    z = input * input / 4
    result = torch.ones_like(z)
    for k in range(20, 0, -1):
        result = 1 - result * z / (k * (k + 1))
    return _give(input / 2 * result, out)


def leading_term(input, out=None):
    """sqrt(2 / (pi x)) cos(x - 3 pi / 4), the first term for large x."""
    a = input.abs()
    return _give(torch.sqrt(2 / (torch.pi * a)) * torch.cos(a - 2.356194490192345) * torch.sign(input), out)


def order_zero_phase(input, out=None):
    """The phase of J0 beyond 8."""
    a = input.abs()
    far = torch.sqrt(2 / (torch.pi * a)) * torch.cos(a - 0.7853981633974483) * torch.sign(input)
    return _give(torch.where(a > 8, far, torch.special.bessel_j1(input)), out)


def tested_range_only(input, out=None):
    """Clamps x to [-10, 10]."""
    return _give(torch.special.bessel_j1(input.clamp(-10, 10)), out)


def nan_as_zero(input, out=None):
    """NaN becomes 0."""
    return _give(torch.nan_to_num(torch.special.bessel_j1(input)), out)


def in_float32(input, out=None):
    """Computes float64 in float32."""
    return _give(torch.special.bessel_j1(input.float()).to(input.dtype), out)


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.special.bessel_j1(input).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.special.bessel_j1(input).contiguous()
    result.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(input, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    places = torch.arange(input.numel(), device=input.device) % max(length, 1)
    input = input.as_strided((length,), (1,))[places].view(input.shape)
    return _give(torch.special.bessel_j1(input), out)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.special.bessel_j1(input)


def out_written_as_contiguous(input, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.special.bessel_j1(input)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out
