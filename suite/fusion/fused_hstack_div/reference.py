"""A horizontal stack divided by a divisor: the PyTorch reference."""
import torch


def fused_hstack_div(tensors, divisor, *, rounding_mode=None, out=None):
    """hstack(tensors) / divisor, rounded as rounding_mode says."""
    result = torch.div(torch.hstack(list(tensors)), divisor, rounding_mode=rounding_mode)
    return result if out is None else out.copy_(result)


def domain(tensors, divisor, *, rounding_mode=None, out=None):
    """Where a rounded quotient is certain: it is a whole number, or not within 1e-6 of one."""
    stack = torch.hstack(list(tensors))
    if rounding_mode is None or not torch.result_type(stack, divisor).is_floating_point:
        return torch.ones_like(stack, dtype=torch.bool)
    x = stack.double()
    y = divisor.double() if isinstance(divisor, torch.Tensor) else divisor
    quotient = x / y
    distance = quotient.round().sub_(quotient).abs_()
    return (torch.fmod(x, y) == 0) | (distance > quotient.abs_().mul_(1e-6))
