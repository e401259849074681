"""Embedding, sum, tanh: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_embedding_add_tanh(input_indices, weight, other, *, padding_idx=None, max_norm=None, norm_type=2.0,
                             scale_grad_by_freq=False, sparse=False, out=None):
    """tanh(embedding(input_indices) + other)."""
    if max_norm is not None:
        shorten(weight, torch.unique(input_indices).long(), max_norm, norm_type)
    result = torch.tanh(F.embedding(input_indices, weight, padding_idx) + other)
    return result if out is None else out.copy_(result)


def shorten(weight, used, max_norm, norm_type):
    """What embedding does with max_norm, written out so that every norm_type means the same on every device."""
    rows = weight[used]
    norm = torch.linalg.vector_norm(rows, norm_type, dim=1, keepdim=True)
    weight[used] = torch.where(norm > max_norm, rows * (max_norm / (norm + 1e-7)), rows)
