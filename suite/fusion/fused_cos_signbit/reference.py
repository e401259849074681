"""cos(x) and its sign bit: the PyTorch reference."""
import torch


def fused_cos_signbit(input):
    """The pair (cos(input), signbit(cos(input)))."""
    cosine = torch.cos(input)
    return cosine, torch.signbit(cosine)


def domain(input):
    """The cosine counts everywhere, its sign where it does not depend on the last bit."""
    cosine = torch.cos(input)
    return torch.ones_like(cosine, dtype=torch.bool), cosine.abs() > 1e-5
