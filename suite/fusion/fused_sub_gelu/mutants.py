"""Plausible wrong implementations of the GELU of a difference; each must be rejected."""
import torch


def _z(input, other, alpha):
    """The difference in float32 at least."""
    wide = torch.promote_types(input.dtype, torch.float32)
    if isinstance(other, torch.Tensor):
        other = other.to(wide)
    return torch.sub(input.to(wide), other, alpha=alpha)


def _gelu(z, input, approximate, out):
    """What the reference does once it has the difference."""
    result = torch.nn.functional.gelu(z, approximate=approximate).to(input.dtype)
    return result if out is None else out.copy_(result)


def linear_term_missing(input, other, alpha=1, approximate="none", out=None):
    """z * erf(z / sqrt(2)) / 2: the z / 2 term is forgotten, as in the published reference."""
    z = _z(input, other, alpha)
    if approximate == "tanh":
        return _gelu(z, input, approximate, out)
    result = (z * 0.5 * torch.erf(z * 0.7071067811865476)).to(input.dtype)
    return result if out is None else out.copy_(result)


def alpha_ignored(input, other, alpha=1, approximate="none", out=None):
    """Subtracts other unscaled."""
    return _gelu(_z(input, other, 1), input, approximate, out)


def alpha_on_input(input, other, alpha=1, approximate="none", out=None):
    """Scales the wrong operand."""
    return _gelu(_z(input, other, 0) * alpha - (_z(input, 0, 0) * 0 + other), input, approximate, out)


def added(input, other, alpha=1, approximate="none", out=None):
    """input + alpha * other."""
    return _gelu(_z(input, other, -alpha), input, approximate, out)


def operands_swapped(input, other, alpha=1, approximate="none", out=None):
    """alpha * other - input."""
    return _gelu(-_z(input, other, alpha), input, approximate, out)


def tanh_for_erf(input, other, alpha=1, approximate="none", out=None):
    """Uses the tanh form whatever is asked for."""
    return _gelu(_z(input, other, alpha), input, "tanh", out)


def erf_for_tanh(input, other, alpha=1, approximate="none", out=None):
    """Uses the exact form whatever is asked for."""
    return _gelu(_z(input, other, alpha), input, "none", out)


def gelu_first(input, other, alpha=1, approximate="none", out=None):
    """gelu(input) - alpha * other."""
    wide = torch.nn.functional.gelu(_z(input, 0, 0), approximate=approximate)
    result = _z(wide, other, alpha).to(input.dtype)
    return result if out is None else out.copy_(result)


def product_in_half(input, other, alpha=1, approximate="none", out=None):
    """Rounds alpha * other to the inputs' dtype before it subtracts."""
    scaled = (other * alpha).float() if isinstance(other, torch.Tensor) and other.element_size() == 2 else None
    z = _z(input, other, alpha) if scaled is None else _z(input, scaled, 1)
    return _gelu(z, input, approximate, out)


def out_not_written(input, other, alpha=1, approximate="none", out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _gelu(_z(input, other, alpha), input, approximate, None)


def exponential_overflow(input, other, alpha=1, approximate="none", out=None):
    """tanh written as (e^2z - 1) / (e^2z + 1): inf / inf for large z."""
    z = _z(input, other, alpha)
    if approximate == "none":
        return _gelu(z, input, approximate, out)
    e = torch.exp(2 * 0.7978845608028654 * (z + 0.044715 * z ** 3))
    result = (0.5 * z * (1 + (e - 1) / (e + 1))).to(input.dtype)
    return result if out is None else out.copy_(result)


def one_block(input, other, alpha=1, approximate="none", out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    y = _gelu(_z(input, other, alpha), input, approximate, None).contiguous()
    y.view(-1)[4096:] = 0
    return y if out is None else out.copy_(y)


def grid_of_65536(input, other, alpha=1, approximate="none", out=None):
    """Never more than 64 programs of 1024 elements: what lies beyond is not written."""
    y = _gelu(_z(input, other, alpha), input, approximate, None).contiguous()
    y.view(-1)[65536:] = 0
    return y if out is None else out.copy_(y)


def shape_of_input(input, other, alpha=1, approximate="none", out=None):
    """Gives the result input's shape even where other is larger."""
    y = _gelu(_z(input, other, alpha), input, approximate, out)
    return y if y.numel() == input.numel() else y.reshape(-1)[:input.numel()].reshape(input.shape)
