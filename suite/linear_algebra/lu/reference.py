"""LU factorization: the PyTorch reference. Without pivoting PyTorch has it on GPUs only, so that is spelled out."""
import torch


def _without_pivoting(A):
    m, k = A.shape[-2], min(A.shape[-2:])
    w = A.clone()
    for j in range(k):
        w[..., j + 1:, j] /= w[..., j, j].unsqueeze(-1)
        w[..., j + 1:, j + 1:] -= w[..., j + 1:, j].unsqueeze(-1) * w[..., j, j + 1:].unsqueeze(-2)
    lower = w[..., :k].tril(-1) + torch.eye(m, k, dtype=A.dtype, device=A.device)
    return A.new_empty(0), lower, w[..., :k, :].triu()


def lu(A, pivot=True, out=None):
    """P, L and U; into `out` when it is given."""
    result = torch.linalg.lu(A) if pivot else _without_pivoting(A)
    return tuple(result) if out is None else tuple(o.copy_(r) for o, r in zip(out, result))
