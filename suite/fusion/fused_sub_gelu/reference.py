"""GELU of a difference: the PyTorch reference."""
import torch


def fused_sub_gelu(input, other, alpha=1, approximate="none", out=None):
    """gelu(input - alpha * other), without rounding to half precision on the way."""
    wide = torch.promote_types(input.dtype, torch.float32)
    if isinstance(other, torch.Tensor):
        other = other.to(wide)
    z = torch.sub(input.to(wide), other, alpha=alpha)
    result = torch.nn.functional.gelu(z, approximate=approximate).to(input.dtype)
    return result if out is None else out.copy_(result)
