"""Reference of attention_w8a8: float attention, and the int8 scheme simulated exactly."""
import torch


def attention_w8a8(query, key, value):
    logits = query @ key.transpose(1, 2) / query.shape[-1] ** 0.5
    return torch.softmax(logits, -1) @ value


def _quantize(x):
    """x after symmetric int8 with one scale per token."""
    scale = x.abs().amax(-1, keepdim=True) / 127
    return torch.round(x / torch.where(scale > 0, scale, 1)).clamp(-127, 127) * scale


def scheme(query, key, value):
    return attention_w8a8(_quantize(query), _quantize(key), _quantize(value))
