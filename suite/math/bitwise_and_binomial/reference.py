"""Binomial draws with input & other trials: the PyTorch reference."""
import torch


def bitwise_and_binomial(input, other, total_count, probs=None, logits=None):
    """Draws from B(min(input & other, total_count), p)."""
    if (probs is None) == (logits is None):
        raise ValueError("exactly one of probs and logits must be given")
    p = probs if probs is not None else torch.sigmoid(logits)
    n, p = torch.broadcast_tensors(trials(input, other, total_count).to(p.dtype), p)
    return torch.binomial(n.contiguous(), p.contiguous())


def trials(input, other, total_count):
    """The number of trials."""
    n = input & other
    if isinstance(total_count, torch.Tensor):
        return torch.minimum(n.to(torch.float64), total_count.to(torch.float64))
    return n.clamp(max=total_count)


def probability(input, other, total_count, probs=None, logits=None):
    """The probability of success; it broadcasts to the result."""
    return probs if probs is not None else torch.sigmoid(logits)


def survivors(input, other, total_count, probs=None, logits=None):
    """The number of trials of every element of the result."""
    p = probs if probs is not None else logits
    n = trials(input, other, total_count).to(torch.float64)
    return n.expand(torch.broadcast_shapes(n.shape, p.shape)).contiguous()
