"""LDL factorization: the PyTorch reference."""
import torch


def ldl_factor(A, hermitian=False, out=None):
    """LAPACK's packed factors and pivots. Complex Hermitian ones are left to the CPU: not all GPU builds have them."""
    on_cpu = hermitian and A.is_complex() and A.is_cuda
    factors, pivots, _ = torch.linalg.ldl_factor_ex(A.cpu() if on_cpu else A, hermitian=hermitian)
    factors, pivots = factors.to(A.device), pivots.to(A.device)
    return (factors, pivots) if out is None else (out[0].copy_(factors), out[1].copy_(pivots))
