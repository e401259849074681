"""Select slices, compare: the PyTorch reference."""
import torch


def fused_index_select_eq(input, dim, index, other, *, out=None):
    """index_select(input, dim, index) == other; a number is first converted to input's dtype."""
    if not isinstance(other, torch.Tensor):
        other = torch.tensor(other, dtype=input.dtype, device=input.device)
    result = torch.eq(torch.index_select(input, dim, index), other)
    return result if out is None else out.copy_(result)
