"""Reference of qr: torch.linalg.qr."""
import torch


def qr(A, mode="reduced", out=None):
    return torch.linalg.qr(A, mode) if out is None else torch.linalg.qr(A, mode, out=out)
