"""Quotient of a tensor and a tensor or number: the PyTorch reference."""
import torch


def div(input, other, rounding_mode=None, out=None):
    """input / other, broadcast, promoted and rounded as rounding_mode says."""
    result = torch.div(input, other, rounding_mode=rounding_mode)
    return result if out is None else out.copy_(result)


def domain(input, other, rounding_mode=None, out=None):
    """Where a rounded quotient is certain: it is a whole number, or not within 1e-6 of one."""
    if rounding_mode is None or not torch.result_type(input, other).is_floating_point:
        return torch.ones_like(torch.div(input, other), dtype=torch.bool)
    x = input.double()
    y = other.double() if isinstance(other, torch.Tensor) else other
    quotient = x / y
    distance = quotient.round().sub_(quotient).abs_()
    return (torch.fmod(x, y) == 0) | (distance > quotient.abs_().mul_(1e-6))
