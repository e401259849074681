"""tanh of the logarithm: the PyTorch reference."""
import torch


def fused_log_tanh(input, out=None):
    """tanh(log(input)); every element must be positive (or NaN)."""
    if torch.any(input <= 0):
        raise ValueError("the logarithm needs positive elements")
    wide = torch.promote_types(input.dtype, torch.float32)
    result = torch.tanh(torch.log(input.to(wide))).to(input.dtype)
    return result if out is None else out.copy_(result)
