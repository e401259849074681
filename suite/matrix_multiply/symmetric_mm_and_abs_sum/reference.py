"""Sum of the absolute values of alpha A A^T + beta C: the PyTorch reference."""
import torch


def symmetric_mm_and_abs_sum(A, C, alpha, beta):
    return torch.sum(torch.abs(alpha * torch.mm(A, A.T) + beta * C))
