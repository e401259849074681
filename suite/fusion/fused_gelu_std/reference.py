"""Standard deviation of GELU: the PyTorch reference."""
import torch


def fused_gelu_std(input, dim=None, keepdim=False, correction=1, approximate="none", out=None):
    """The deviation of gelu(input) over `dim` (None: all), without rounding to half precision on the way."""
    wide = torch.promote_types(input.dtype, torch.float32)
    dim = tuple(range(input.dim())) if dim is None else dim
    y = torch.nn.functional.gelu(input.to(wide), approximate=approximate)
    result = torch.std(y, dim=dim, correction=correction, keepdim=keepdim).to(input.dtype)
    return result if out is None else out.copy_(result)
