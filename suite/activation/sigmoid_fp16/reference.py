"""Sigmoid on float16: the PyTorch reference."""
import torch


def sigmoid_fp16(input):
    """1 / (1 + exp(-input))."""
    return torch.sigmoid(input)
