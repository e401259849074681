"""Standard deviation of sums: the PyTorch reference."""
import torch


def fused_sum_std(input, dim=None, keepdim=False, dtype=None, correction=1, out=None):
    """The deviation of all the sums of `input` over `dim`; 0 when there is only the sum of everything."""
    if dim is None:
        result = torch.zeros((), dtype=dtype or input.dtype, device=input.device)
    else:
        sums = torch.sum(input, dim=dim, dtype=dtype).flatten()
        result = torch.std(sums, dim=0, correction=correction)
    if keepdim:
        result = result.reshape([1] * input.dim())
    return result if out is None else out.copy_(result)
