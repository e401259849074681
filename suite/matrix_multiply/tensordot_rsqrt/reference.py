"""Reciprocal square root of a tensor contraction: the PyTorch reference."""
import torch


def tensordot_rsqrt(a, b, dims):
    """1 / sqrt(tensordot(a, b, dims))."""
    return torch.rsqrt(torch.tensordot(a, b, dims=dims))


def magnitude(a, b, dims):
    """The sums of absolute products, as far as they move the result: |d rsqrt(s) / ds| = rsqrt(s)^3 / 2, 0 at infinity."""
    terms = torch.tensordot(a.abs(), b.abs(), dims=dims)
    return (0.5 * tensordot_rsqrt(a, b, dims) ** 3 * terms).masked_fill(terms.isinf(), 0)
