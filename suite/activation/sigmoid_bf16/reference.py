"""Sigmoid on bfloat16: the PyTorch reference."""
import torch


def sigmoid_bf16(input):
    """1 / (1 + exp(-input))."""
    return torch.sigmoid(input)
