"""Plausible wrong versions of linear and log-softmax; each must be rejected."""
import torch
import torch.nn.functional as F


def _tf32(x):
    if x.dtype != torch.float32:
        return x
    return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)


def last_axis(input, weight, bias=None, dim=-1, dtype=None):
    """Normalizes along the last dimension whatever dim says."""
    return F.log_softmax(F.linear(input, weight, bias), -1, dtype=dtype)


def dtype_ignored(input, weight, bias=None, dim=-1, dtype=None):
    """Returns input's dtype whatever is asked for."""
    return F.log_softmax(F.linear(input, weight, bias), dim)


def through_float16(input, weight, bias=None, dim=-1, dtype=None):
    """The logits pass through float16 on their way to memory."""
    z = F.linear(input, weight, bias)
    return F.log_softmax(z.half().to(z.dtype), dim, dtype=dtype)


def no_logarithm(input, weight, bias=None, dim=-1, dtype=None):
    """Softmax."""
    return F.softmax(F.linear(input, weight, bias), dim, dtype=dtype)


def no_max_subtraction(input, weight, bias=None, dim=-1, dtype=None):
    """Exponentiates the values as they are."""
    z = F.linear(input, weight, bias).to(dtype or input.dtype)
    return z - torch.log(torch.exp(z).sum(dim, keepdim=True))


def log_of_softmax(input, weight, bias=None, dim=-1, dtype=None):
    """log(softmax(z) + 1e-8): bounded below."""
    return torch.log(F.softmax(F.linear(input, weight, bias), dim, dtype=dtype) + 1e-8)


def padding_counts(input, weight, bias=None, dim=-1, dtype=None):
    """Sums over a power-of-two block in which missing logits are 0."""
    z = F.linear(input, weight, bias).to(dtype or input.dtype)
    n = z.shape[dim]
    if z.numel() == 0:
        return z
    missing = (1 << (n - 1).bit_length()) - n
    top = z.amax(dim, keepdim=True)
    return z - top - torch.log(torch.exp(z - top).sum(dim, keepdim=True) + missing * torch.exp(-top))


def bias_ignored(input, weight, bias=None, dim=-1, dtype=None):
    """Never adds the bias."""
    return F.log_softmax(F.linear(input, weight, None), dim, dtype=dtype)


def bias_added_last(input, weight, bias=None, dim=-1, dtype=None):
    """Adds the bias after everything else."""
    y = F.log_softmax(F.linear(input, weight, None), dim, dtype=dtype)
    return y if bias is None else (y + bias).to(y.dtype)


def tf32_operands(input, weight, bias=None, dim=-1, dtype=None):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    return F.log_softmax(F.linear(_tf32(input), _tf32(weight), bias), dim, dtype=dtype)


def first_block_of_terms(input, weight, bias=None, dim=-1, dtype=None):
    """One block of 1024 terms and no loop."""
    return F.log_softmax(F.linear(input[..., :1024], weight[:, :1024], bias), dim, dtype=dtype)


def first_columns_only(input, weight, bias=None, dim=-1, dtype=None):
    """A grid of 16 tiles of 64 outputs: further columns stay 0."""
    y = F.log_softmax(F.linear(input, weight, bias), dim, dtype=dtype)
    y[..., 1024:] = 0
    return y
