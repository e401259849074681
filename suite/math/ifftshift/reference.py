"""Inverse FFT shift: the PyTorch reference."""
import torch


def ifftshift(input, dim=None):
    """input with its zero frequency moved from the centre to the front."""
    return torch.fft.ifftshift(input, dim)
