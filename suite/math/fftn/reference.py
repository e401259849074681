"""n-dimensional discrete Fourier transform: the PyTorch reference."""
import math

import torch


def fftn(input, s=None, dim=None, norm=None, out=None):
    """The spectrum of input over the dimensions dim, cut or padded to the sizes s."""
    result = torch.fft.fftn(input, s=s, dim=dim, norm=norm)
    return result if out is None else out.copy_(result)


def magnitude(input, s=None, dim=None, norm=None, out=None):
    """16 eps of it are 8 eps log2(n) times the RMS of the transform to which an element belongs."""
    size = torch.fft.fftn(input, s=s, dim=dim, norm=norm).abs()
    dims = dim if dim is not None else tuple(range(-(len(s) if s is not None else input.dim()), 0))
    points = math.prod(size.shape[d] for d in dims)
    top = size.amax(dim=dims, keepdim=True)  # squares of what is above 1e154 are infinite: of shares of the largest they are not
    rms = top * (size / torch.where(top > 0, top, 1)).square().mean(dim=dims, keepdim=True).sqrt()
    return (rms * (0.5 * math.log2(points))).expand_as(size).contiguous()
