"""Plausible wrong versions of linear and ELU; each must be rejected."""
import torch
import torch.nn.functional as F


def _tf32(x):
    if x.dtype != torch.float32:
        return x
    return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)


def alpha_ignored(input, weight, bias=None, alpha=1.0, inplace=False):
    """Always 1."""
    return F.elu(F.linear(input, weight, bias))


def alpha_in_the_exponent(input, weight, bias=None, alpha=1.0, inplace=False):
    """exp(alpha z) - 1."""
    z = F.linear(input, weight, bias)
    return torch.where(z > 0, z, torch.expm1(alpha * z.clamp(max=0)))


def no_elu(input, weight, bias=None, alpha=1.0, inplace=False):
    """The linear layer alone."""
    return F.linear(input, weight, bias)


def minus_one_forgotten(input, weight, bias=None, alpha=1.0, inplace=False):
    """alpha * exp(z) below zero."""
    z = F.linear(input, weight, bias)
    return torch.where(z > 0, z, alpha * torch.exp(z.clamp(max=0)))


def scaled_everywhere(input, weight, bias=None, alpha=1.0, inplace=False):
    """Multiplies the positive part with alpha too."""
    return alpha * F.elu(F.linear(input, weight, bias))


def celu(input, weight, bias=None, alpha=1.0, inplace=False):
    """CELU: alpha (exp(z / alpha) - 1) below zero."""
    z = F.linear(input, weight, bias)
    return torch.where(z > 0, z, alpha * torch.expm1(z.clamp(max=0) / alpha))


def leaky(input, weight, bias=None, alpha=1.0, inplace=False):
    """A slope of alpha below zero."""
    z = F.linear(input, weight, bias)
    return torch.where(z > 0, z, alpha * z)


def half_accumulator(input, weight, bias=None, alpha=1.0, inplace=False):
    """Adds blocks of 64 terms up in the inputs' dtype."""
    if input.dtype != torch.float16 or input.shape[-1] < 64:
        return F.elu(F.linear(input, weight, bias), alpha)
    z = torch.zeros(input.shape[:-1] + (weight.shape[0],), dtype=input.dtype, device=input.device)
    for k in range(0, input.shape[-1], 64):
        z = z + F.linear(input[..., k:k + 64], weight[:, k:k + 64])
    return F.elu(z if bias is None else z + bias, alpha)


def bias_ignored(input, weight, bias=None, alpha=1.0, inplace=False):
    """Never adds the bias."""
    return F.elu(F.linear(input, weight, None), alpha)


def bias_added_last(input, weight, bias=None, alpha=1.0, inplace=False):
    """Adds the bias after everything else."""
    y = F.elu(F.linear(input, weight, None), alpha)
    return y if bias is None else (y + bias).to(y.dtype)


def tf32_operands(input, weight, bias=None, alpha=1.0, inplace=False):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    return F.elu(F.linear(_tf32(input), _tf32(weight), bias), alpha)


def first_block_of_terms(input, weight, bias=None, alpha=1.0, inplace=False):
    """One block of 1024 terms and no loop."""
    return F.elu(F.linear(input[..., :1024], weight[:, :1024], bias), alpha)


def first_columns_only(input, weight, bias=None, alpha=1.0, inplace=False):
    """A grid of 16 tiles of 64 outputs: further columns stay 0."""
    y = F.elu(F.linear(input, weight, bias), alpha)
    y[..., 1024:] = 0
    return y


def nan_dropped(input, weight, bias=None, alpha=1.0, inplace=False):
    """Splits into a positive and a negative part: a NaN is in neither."""
    z = F.linear(input, weight, bias)
    return torch.where(z > 0, z, 0) + torch.where(z < 0, alpha * (torch.exp(z) - 1), 0).to(z.dtype)
