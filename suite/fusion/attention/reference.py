"""Scaled dot-product attention: the PyTorch reference."""
import torch


def _probabilities(q, k, causal, scale):
    logits = scale * torch.matmul(q, k.transpose(-2, -1))
    if causal:
        hidden = torch.ones(logits.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        logits = logits.masked_fill(hidden, float("-inf"))
    return torch.softmax(logits, -1)


def attention(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """softmax(scale * q @ k^T) @ v, each query seeing the keys up to its own position if causal."""
    scale = q.shape[-1] ** -0.5 if softmax_scale is None else softmax_scale
    result = torch.matmul(_probabilities(q, k, causal, scale), v)
    return result if out is None else out.copy_(result)


def magnitude(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """What an error in the logits, relative to their sums of absolute products, makes of the result."""
    scale = q.shape[-1] ** -0.5 if softmax_scale is None else softmax_scale
    p = _probabilities(q, k, causal, scale)
    moved = p * (abs(scale) * torch.matmul(q.abs(), k.abs().transpose(-2, -1)))
    return torch.matmul(moved + p * (1 + moved.sum(-1, keepdim=True)), v.abs())
