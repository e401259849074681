"""Plausible wrong implementations of GELU of a sum; each must be rejected."""
import torch
import torch.nn.functional as F


def _give(result, out):
    return result if out is None else out.copy_(result)


def alpha_ignored(input, other, alpha=1, approximate="none", out=None):
    """Adds other unscaled."""
    return _give(F.gelu(input + other, approximate=approximate), out)


def alpha_on_input(input, other, alpha=1, approximate="none", out=None):
    """Scales the wrong operand."""
    return _give(F.gelu(input * alpha + other, approximate=approximate), out)


def tanh_for_erf(input, other, alpha=1, approximate="none", out=None):
    """Uses the tanh form whatever is asked for."""
    return _give(F.gelu(torch.add(input, other, alpha=alpha), approximate="tanh"), out)


def erf_for_tanh(input, other, alpha=1, approximate="none", out=None):
    """Uses the exact form whatever is asked for."""
    return _give(F.gelu(torch.add(input, other, alpha=alpha)), out)


def linear_term_missing(input, other, alpha=1, approximate="none", out=None):
    """z * erf(z / sqrt(2)) / 2: the z / 2 term is forgotten."""
    z = torch.add(input, other, alpha=alpha)
    return _give(z * 0.5 * torch.erf(z * 0.7071067811865476), out)


def gelu_before_add(input, other, alpha=1, approximate="none", out=None):
    """Activates input alone and adds afterwards."""
    return _give(torch.add(F.gelu(input, approximate=approximate), other, alpha=alpha), out)


def one_block(input, other, alpha=1, approximate="none", out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = F.gelu(torch.add(input, other, alpha=alpha), approximate=approximate).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def other_read_cyclically(input, other, alpha=1, approximate="none", out=None):
    """Indexes other modulo its length instead of broadcasting it."""
    if isinstance(other, torch.Tensor):
        shape = torch.broadcast_shapes(input.shape, other.shape)
        index = torch.arange(shape.numel(), device=other.device) % max(other.numel(), 1)
        other = other.reshape(-1)[index].view(shape)
    return _give(F.gelu(torch.add(input, other, alpha=alpha), approximate=approximate), out)


def sum_rounded_to_half(input, other, alpha=1, approximate="none", out=None):
    """Keeps the sum in float16 for the sake of bandwidth."""
    z = torch.add(input, other, alpha=alpha)
    return _give(F.gelu(z.half().to(z.dtype), approximate=approximate), out)


def exponential_overflow(input, other, alpha=1, approximate="none", out=None):
    """tanh written as (e^2u - 1) / (e^2u + 1): inf / inf for large u."""
    z = torch.add(input, other, alpha=alpha)
    if approximate == "none":
        return _give(F.gelu(z), out)
    e = torch.exp(2 * 0.7978845608028654 * (z + 0.044715 * z ** 3))
    return _give(0.5 * z * (1 + (e - 1) / (e + 1)), out)


def out_not_written(input, other, alpha=1, approximate="none", out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return F.gelu(torch.add(input, other, alpha=alpha), approximate=approximate)
