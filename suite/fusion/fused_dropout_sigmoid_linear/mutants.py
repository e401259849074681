"""Plausible wrong versions of linear, sigmoid and dropout; each must be rejected."""
import torch
import torch.nn.functional as F


def _tf32(x):
    if x.dtype != torch.float32:
        return x
    return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)


def not_scaled(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """Survivors are not divided by 1 - p."""
    kept = F.dropout(torch.sigmoid(F.linear(input, weight, bias)), p, training)
    return kept * (1 - p) if training else kept


def dropout_first(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """Drops elements of the linear output: sigmoid makes them 0.5."""
    return torch.sigmoid(F.dropout(F.linear(input, weight, bias), p, training))


def dropout_of_input(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """Drops elements of the input."""
    return torch.sigmoid(F.linear(F.dropout(input, p, training), weight, bias))


def training_ignored(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """Drops in evaluation mode too."""
    return F.dropout(torch.sigmoid(F.linear(input, weight, bias)), p)


def never_drops(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """Scales but keeps every element."""
    s = torch.sigmoid(F.linear(input, weight, bias))
    return s / (1 - p) if training and p < 1 else s


def drops_the_complement(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """Keeps with probability p instead of dropping with it."""
    if not training or p in (0.0, 1.0):
        return F.dropout(torch.sigmoid(F.linear(input, weight, bias)), p, training)
    s = torch.sigmoid(F.linear(input, weight, bias))
    keep = torch.rand(s.shape, device=s.device) < p
    return torch.where(keep, s / (1 - p), torch.zeros_like(s))


def same_mask_every_call(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """The seed is a constant: every call drops the same elements."""
    if not training or p in (0.0, 1.0):
        return F.dropout(torch.sigmoid(F.linear(input, weight, bias)), p, training)
    s = torch.sigmoid(F.linear(input, weight, bias))
    generator = torch.Generator(device=s.device).manual_seed(0)
    keep = torch.rand(s.shape, device=s.device, generator=generator) >= p
    return torch.where(keep, s / (1 - p), torch.zeros_like(s))


def one_mask_for_all_tiles(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """Every tile of 64 rows counts from 0: its mask is that of the first tile."""
    if not training or p in (0.0, 1.0):
        return F.dropout(torch.sigmoid(F.linear(input, weight, bias)), p, training)
    s = torch.sigmoid(F.linear(input, weight, bias))
    flat = s.reshape(-1, s.shape[-1])
    rows = torch.arange(flat.shape[0], device=s.device) % 64
    keep = (torch.rand((64, s.shape[-1]), device=s.device) >= p)[rows].view(s.shape)
    return torch.where(keep, s / (1 - p), torch.zeros_like(s))


def one_draw_a_row(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """Drops whole rows."""
    if not training or p in (0.0, 1.0):
        return F.dropout(torch.sigmoid(F.linear(input, weight, bias)), p, training)
    s = torch.sigmoid(F.linear(input, weight, bias))
    keep = torch.rand(s.shape[:-1] + (1,), device=s.device) >= p
    return torch.where(keep, s / (1 - p), torch.zeros_like(s))


def sigmoid_overflow(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """Sigmoid as e^z / (1 + e^z): inf / inf for large z."""
    e = torch.exp(F.linear(input, weight, bias))
    return F.dropout(e / (1 + e), p, training)


def bias_ignored(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """Never adds the bias."""
    return F.dropout(torch.sigmoid(F.linear(input, weight, None)), p, training)


def bias_added_last(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """Adds the bias after everything else."""
    y = F.dropout(torch.sigmoid(F.linear(input, weight, None)), p, training)
    return y if bias is None else (y + bias).to(y.dtype)


def tf32_operands(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    return F.dropout(torch.sigmoid(F.linear(_tf32(input), _tf32(weight), bias)), p, training)


def first_block_of_terms(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """One block of 1024 terms and no loop."""
    return F.dropout(torch.sigmoid(F.linear(input[..., :1024], weight[:, :1024], bias)), p, training)


def first_columns_only(input, weight, bias=None, p=0.5, training=True, inplace=False):
    """A grid of 16 tiles of 64 outputs: further columns stay 0."""
    y = F.dropout(torch.sigmoid(F.linear(input, weight, bias)), p, training)
    y[..., 1024:] = 0
    return y
