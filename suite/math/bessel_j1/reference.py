"""Bessel function J1: the PyTorch reference."""
import math

import torch


def _integral(x):
    """J1 up to |x| = 25: the mean of cos(t - x sin t) over 64 angles, which is exact to rounding."""
    total = torch.zeros_like(x)
    for k in range(64):
        t = (k + 0.5) * math.pi / 64
        total += torch.cos(t - x * math.sin(t))
    return total / 64


def bessel_j1(input, out=None):
    """J1(x), elementwise. In float64 torch.special.bessel_j1 is off by up to 5e-7 between 1 and 25."""
    result = torch.special.bessel_j1(input)
    if input.dtype == torch.float64:
        near = _integral(input.clamp(-25.0, 25.0))
        result = torch.where((input.abs() > 1.0) & (input.abs() < 25.0), near, result)
    return result if out is None else out.copy_(result)
