"""Plausible wrong implementations of Ai; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def zero_on_the_right(input, out=None):
    """0 for every x > 5."""
    return _give(torch.where(input > 5, torch.zeros_like(input), torch.special.airy_ai(input)), out)


def mirrored(input, out=None):
    """Ai(|x|): no oscillation."""
    return _give(torch.special.airy_ai(input.abs()), out)


def wrong_side(input, out=None):
    """Ai(-x)."""
    return _give(torch.special.airy_ai(-input), out)


def leading_terms(input, out=None):
    """The first asymptotic terms on both sides."""
    zeta = input.abs() ** 1.5 * (2 / 3)
    quarter = input.abs() ** 0.25 * 1.7724538509055159
    right = torch.exp(-zeta) / (2 * quarter)
    return _give(torch.where(input > 0, right, torch.sin(zeta + torch.pi / 4) / quarter), out)


def series(input, out=None):
    """The power series at 0 to the ninth power, for every x."""
    c = input**3
    f = 1 + c / 6 + c**2 / 180 + c**3 / 12960
    g = input * (1 + c / 12 + c**2 / 504 + c**3 / 45360)
    return _give(0.3550280538878172 * f - 0.2588194037928068 * g, out)


def leading_term_on_the_left(input, out=None):
    """The first asymptotic term below -4."""
    zeta = input.abs() ** 1.5 * (2 / 3)
    left = torch.sin(zeta + torch.pi / 4) / (1.7724538509055159 * input.abs() ** 0.25)
    return _give(torch.where(input < -4, left, torch.special.airy_ai(input)), out)


def exponential_only(input, out=None):
    """exp(-zeta) without x^(-1/4) beyond 2."""
    right = torch.exp(-input.abs() ** 1.5 * (2 / 3)) * 0.28209479177387814
    return _give(torch.where(input > 2, right, torch.special.airy_ai(input)), out)


def clamped(input, out=None):
    """Clamps x to [-10, 10]."""
    return _give(torch.special.airy_ai(input.clamp(-10, 10)), out)


def nan_as_zero(input, out=None):
    """NaN becomes 0."""
    return _give(torch.nan_to_num(torch.special.airy_ai(input)), out)


def in_float32(input, out=None):
    """Computes float64 in float32."""
    return _give(torch.special.airy_ai(input.float()).to(input.dtype), out)


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.special.airy_ai(input).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.special.airy_ai(input).contiguous()
    result.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(input, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    places = torch.arange(input.numel(), device=input.device) % max(length, 1)
    input = input.as_strided((length,), (1,))[places].view(input.shape)
    return _give(torch.special.airy_ai(input), out)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.special.airy_ai(input)


def out_written_as_contiguous(input, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.special.airy_ai(input)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out
