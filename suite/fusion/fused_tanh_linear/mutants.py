"""Plausible wrong versions of linear and tanh; each must be rejected."""
import torch
import torch.nn.functional as F


def _tf32(x):
    if x.dtype != torch.float32:
        return x
    return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)


def no_tanh(input, weight, bias=None):
    """The linear layer alone."""
    return F.linear(input, weight, bias)


def sigmoid(input, weight, bias=None):
    """The logistic function without the factors of 2."""
    return 2 * torch.sigmoid(F.linear(input, weight, bias)) - 1


def exponential_overflow(input, weight, bias=None):
    """tanh as (e^2z - 1) / (e^2z + 1): inf / inf for large z."""
    e = torch.exp(2 * F.linear(input, weight, bias))
    return (e - 1) / (e + 1)


def clipped(input, weight, bias=None):
    """A cubic between -1.5 and 1.5, constants outside."""
    z = F.linear(input, weight, bias).clamp(-1.5, 1.5)
    return z - z ** 3 * (4 / 27)


def pade(input, weight, bias=None):
    """z (27 + z^2) / (27 + 9 z^2), right near 0 only."""
    z = F.linear(input, weight, bias).clamp(-3, 3)
    return z * (27 + z * z) / (27 + 9 * z * z)


def bfloat16_product(input, weight, bias=None):
    """Multiplies in bfloat16 on the tensor cores."""
    if input.dtype != torch.float32:
        return torch.tanh(F.linear(input, weight, bias))
    z = F.linear(input.bfloat16().float(), weight.bfloat16().float(), bias)
    return torch.tanh(z)


def bias_ignored(input, weight, bias=None):
    """Never adds the bias."""
    return torch.tanh(F.linear(input, weight, None))


def bias_added_last(input, weight, bias=None):
    """Adds the bias after everything else."""
    y = torch.tanh(F.linear(input, weight, None))
    return y if bias is None else (y + bias).to(y.dtype)


def tf32_operands(input, weight, bias=None):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    return torch.tanh(F.linear(_tf32(input), _tf32(weight), bias))


def first_block_of_terms(input, weight, bias=None):
    """One block of 1024 terms and no loop."""
    return torch.tanh(F.linear(input[..., :1024], weight[:, :1024], bias))


def first_columns_only(input, weight, bias=None):
    """A grid of 16 tiles of 64 outputs: further columns stay 0."""
    y = torch.tanh(F.linear(input, weight, bias))
    y[..., 1024:] = 0
    return y
