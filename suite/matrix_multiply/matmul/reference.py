"""Reference of matmul: torch.matmul."""
import torch


def matmul(tensor1, tensor2):
    return torch.matmul(tensor1, tensor2)


def magnitude(tensor1, tensor2):
    """Sums of absolute values of the products."""
    return torch.matmul(tensor1.abs(), tensor2.abs())
