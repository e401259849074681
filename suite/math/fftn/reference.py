"""n-dimensional discrete Fourier transform: the PyTorch reference."""
import math

import torch


def fftn(input, s=None, dim=None, norm=None, out=None):
    """The spectrum of input over the dimensions dim, cut or padded to the sizes s."""
    result = torch.fft.fftn(input, s=s, dim=dim, norm=norm)
    return result if out is None else out.copy_(result)


def magnitude(input, s=None, dim=None, norm=None, out=None):
    """16 eps of it are 8 eps log2(n) times the RMS of the transform to which an element belongs."""
    power = torch.fft.fftn(input, s=s, dim=dim, norm=norm).abs().square()
    dims = dim if dim is not None else tuple(range(-(len(s) if s is not None else input.dim()), 0))
    points = math.prod(power.shape[d] for d in dims)
    return (power.mean(dim=dims, keepdim=True).sqrt() * (0.5 * math.log2(points))).expand_as(power).contiguous()
