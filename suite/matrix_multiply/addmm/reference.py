"""Reference of addmm: torch.addmm."""
import torch


def addmm(input, mat1, mat2, beta=1, alpha=1, out=None):
    return torch.addmm(input, mat1, mat2, beta=beta, alpha=alpha, out=out)


def magnitude(input, mat1, mat2, beta=1, alpha=1, out=None):
    """The same with absolute values everywhere."""
    return torch.addmm(input.abs(), mat1.abs(), mat2.abs(), beta=abs(beta), alpha=abs(alpha))
