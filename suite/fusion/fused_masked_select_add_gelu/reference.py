"""Select by a mask, add, GELU: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_masked_select_add_gelu(input, mask, other, *, alpha=1, approximate="none", out=None):
    """gelu(masked_select(input, mask) + alpha * other)."""
    selected = torch.masked_select(input, mask)
    result = F.gelu(torch.add(selected, other, alpha=alpha), approximate=approximate)
    return result if out is None else out.copy_(result)
