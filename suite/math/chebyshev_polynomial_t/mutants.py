"""Plausible wrong implementations of Chebyshev polynomials; each must be rejected."""
import torch


def _give(result, out):
    """The result, or out filled with it."""
    return result if out is None else out.copy_(result)


def _chebyshev(x, n):
    return torch.special.chebyshev_polynomial_t(x, n)


def cosine_form(input, n, out=None):
    """cos(n arccos x): NaN outside [-1, 1]."""
    return _give(torch.cos(n * torch.acos(input)) if n >= 0 else torch.zeros_like(input), out)


def clamped(input, n, out=None):
    """Clamps the input to [-1, 1], as the published tests do to theirs."""
    return _give(_chebyshev(input.clamp(-1, 1), n), out)


def hyperbolic_without_sign(input, n, out=None):
    """cosh(n arcosh |x|) outside: odd degrees lose the sign."""
    outside = torch.cosh(n * torch.acosh(input.abs().clamp(min=1)))
    return _give(torch.where(input.abs() > 1, outside, _chebyshev(input, n)) if n > 0 else _chebyshev(input, n), out)


def second_kind(input, n, out=None):
    """U_n: starts with 2 x instead of x."""
    return _give(torch.special.chebyshev_polynomial_u(input, n), out)


def one_degree_less(input, n, out=None):
    """The loop ends one step early."""
    return _give(_chebyshev(input, max(n - 1, 0) if n >= 0 else n), out)


def always_degree_3(input, n, out=None):
    """4 x^3 - 3 x whatever n is, as at the published speed tests."""
    return _give(4 * input**3 - 3 * input, out)


def high_degrees_missing(input, n, out=None):
    """Knows the degrees up to 5 only."""
    return _give(_chebyshev(input, min(n, 5)), out)


def plus_in_the_recurrence(input, n, out=None):
    """Adds T_(k-2) instead of subtracting it."""
    before, now = torch.ones_like(input), input.clone()
    if n <= 0:
        return _give(_chebyshev(input, n), out)
    for _ in range(1, n):
        before, now = now, 2 * input * now + before
    return _give(now, out)


def power(input, n, out=None):
    """2^(n-1) x^n: the leading term alone."""
    return _give(2.0 ** (n - 1) * input**n if n > 0 else _chebyshev(input, n), out)


def reflected(input, n, out=None):
    """T_(-n) for negative n, where zeros are asked for."""
    return _give(_chebyshev(input, abs(n)), out)


def degree_0_is_input(input, n, out=None):
    """The recurrence starts from x also for n = 0."""
    return _give(_chebyshev(input, max(n, 1)) if n >= 0 else _chebyshev(input, n), out)


def half_arithmetic(input, n, out=None):
    """Runs the recurrence on bfloat16 numbers."""
    if n <= 1:
        return _give(_chebyshev(input, n), out)
    before, now = torch.ones_like(input), input.clone()
    for _ in range(1, n):
        before, now = now, (2 * input * now - before).bfloat16().to(input.dtype)
    return _give(now, out)


def through_float32(input, n, out=None):
    """Computes float64 in float32: large numbers become inf."""
    return _give(_chebyshev(input.float(), n).to(input.dtype), out)


def out_not_written(input, n, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _chebyshev(input, n)


def one_block(input, n, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = _chebyshev(input, n).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, n, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = _chebyshev(input, n).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return _give(result, out)
