"""Standard deviation: the PyTorch reference."""
import torch


def std(input, dim=None, correction=1, keepdim=False, out=None):
    """The deviation of `input` over `dim`, all dimensions when it is None."""
    wide = torch.promote_types(input.dtype, torch.float32)
    dim = tuple(range(input.dim())) if dim is None else dim
    y = input.to(wide)
    result = torch.std(y, dim=dim, correction=correction, keepdim=keepdim).to(input.dtype)
    return result if out is None else out.copy_(result)
