"""The Adam optimizer: the PyTorch reference."""
import torch


def Adam(params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
    """An object whose step() updates the parameters from their .grad."""
    return torch.optim.Adam(params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
