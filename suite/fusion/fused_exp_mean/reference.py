"""Mean of exponentials: the PyTorch reference."""
import torch


def fused_exp_mean(input, dim=None, keepdim=False, dtype=None, out=None):
    """The mean of exp(input) over `dim` (None: all), without rounding to half precision on the way."""
    dtype = dtype or input.dtype
    wide = torch.promote_types(torch.promote_types(input.dtype, dtype), torch.float32)
    dim = tuple(range(input.dim())) if dim is None else dim
    result = torch.mean(torch.exp(input.to(wide)), dim=dim, keepdim=keepdim).to(dtype)
    return result if out is None else out.copy_(result)
