"""Chebyshev polynomial of the first kind: the PyTorch reference."""
import torch


def chebyshev_polynomial_t(input, n, out=None):
    """T_n(input)."""
    result = torch.special.chebyshev_polynomial_t(input, n)
    return result if out is None else out.copy_(result)


def magnitude(input, n, out=None):
    """What an error of 1 in each step of the recurrence may grow to: a step's error spreads as U_k, |T_k| <= |U_k|."""
    before, now = torch.zeros_like(input), torch.ones_like(input)
    total = now.clone()
    for _ in range(n):
        before, now = now, 2 * input * now - before
        total += now.abs()
    return torch.where(input.abs() > 1, (n + 1) * now.abs(), total)
