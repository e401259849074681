"""Plausible wrong versions of linear and softplus; each must be rejected."""
import torch
import torch.nn.functional as F


def _tf32(x):
    if x.dtype != torch.float32:
        return x
    return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)


def threshold_on_z(input, weight, bias=None, beta=1, threshold=20):
    """Compares z instead of beta * z with the threshold."""
    z = F.linear(input, weight, bias)
    return torch.where(z > threshold, z, torch.logaddexp(beta * z, torch.zeros_like(z)) / beta)


def threshold_ignored(input, weight, bias=None, beta=1, threshold=20):
    """Never switches to the linear part."""
    z = F.linear(input, weight, bias)
    return torch.logaddexp(beta * z, torch.zeros_like(z)) / beta


def threshold_included(input, weight, bias=None, beta=1, threshold=20):
    """Linear at the threshold too."""
    z = F.linear(input, weight, bias)
    return torch.where(beta * z >= threshold, z, torch.logaddexp(beta * z, torch.zeros_like(z)) / beta)


def beta_ignored(input, weight, bias=None, beta=1, threshold=20):
    """Always 1."""
    return F.softplus(F.linear(input, weight, bias), 1, threshold)


def not_divided_by_beta(input, weight, bias=None, beta=1, threshold=20):
    """log(1 + exp(beta z))."""
    z = F.linear(input, weight, bias)
    return torch.where(beta * z > threshold, z, torch.logaddexp(beta * z, torch.zeros_like(z)))


def log_of_one_plus(input, weight, bias=None, beta=1, threshold=20):
    """log(1 + x) for log1p: 0 where x is below the precision of 1."""
    z = F.linear(input, weight, bias)
    return torch.where(beta * z > threshold, z, torch.log(1 + torch.exp((beta * z).clamp(max=threshold))) / beta)


def exponential_overflow(input, weight, bias=None, beta=1, threshold=20):
    """Computes exp(z) everywhere and multiplies by a flag: inf times 0."""
    z = F.linear(input, weight, bias)
    flag = (beta * z > threshold).to(z.dtype)
    return z * flag + torch.log1p(torch.exp(beta * z)) / beta * (1 - flag)


def relu(input, weight, bias=None, beta=1, threshold=20):
    """max(z, 0)."""
    return F.relu(F.linear(input, weight, bias))


def bias_ignored(input, weight, bias=None, beta=1, threshold=20):
    """Never adds the bias."""
    return F.softplus(F.linear(input, weight, None), beta, threshold)


def bias_added_last(input, weight, bias=None, beta=1, threshold=20):
    """Adds the bias after everything else."""
    y = F.softplus(F.linear(input, weight, None), beta, threshold)
    return y if bias is None else (y + bias).to(y.dtype)


def tf32_operands(input, weight, bias=None, beta=1, threshold=20):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    return F.softplus(F.linear(_tf32(input), _tf32(weight), bias), beta, threshold)


def first_block_of_terms(input, weight, bias=None, beta=1, threshold=20):
    """One block of 1024 terms and no loop."""
    return F.softplus(F.linear(input[..., :1024], weight[:, :1024], bias), beta, threshold)


def first_columns_only(input, weight, bias=None, beta=1, threshold=20):
    """A grid of 16 tiles of 64 outputs: further columns stay 0."""
    y = F.softplus(F.linear(input, weight, bias), beta, threshold)
    y[..., 1024:] = 0
    return y
