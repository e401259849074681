"""Plausible wrong versions of the product, log-softmax and dropout; each must be rejected."""
import torch
import torch.nn.functional as F


def _give(result, out):
    return result if out is None else out.copy_(result)


def _tf32(x):
    if x.dtype != torch.float32:
        return x
    return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)


def _masked(x, keep, p):
    return torch.where(keep, x / (1 - p), torch.zeros_like(x))


def not_scaled(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Survivors are not divided by 1 - p."""
    x = F.log_softmax(torch.mv(input, vec), dim)
    d = F.dropout(x, p, training)
    return _give(d * (1 - p) if training else d, out)


def training_ignored(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Drops in evaluation mode too."""
    x = F.log_softmax(torch.mv(input, vec), dim)
    return _give(F.dropout(x, p), out)


def never_drops(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Scales but keeps every element."""
    x = F.log_softmax(torch.mv(input, vec), dim)
    return _give(x / (1 - p) if training and p < 1 else x, out)


def drops_the_complement(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Keeps with probability p instead of dropping with it."""
    x = F.log_softmax(torch.mv(input, vec), dim)
    if not training or p in (0.0, 1.0) or x.numel() == 0:
        return _give(F.dropout(x, p, training), out)
    return _give(_masked(x, torch.rand(x.shape, device=x.device) < p, p), out)


def same_mask_every_call(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """The seed is a constant: every call drops the same elements."""
    x = F.log_softmax(torch.mv(input, vec), dim)
    if not training or p in (0.0, 1.0) or x.numel() == 0:
        return _give(F.dropout(x, p, training), out)
    generator = torch.Generator(device=x.device).manual_seed(0)
    keep = torch.rand(x.shape, device=x.device, generator=generator) >= p
    return _give(_masked(x, keep, p), out)


def one_mask_for_all_blocks(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Every block of 1024 elements counts from 0: its mask is that of the first block."""
    x = F.log_softmax(torch.mv(input, vec), dim)
    if not training or p in (0.0, 1.0):
        return _give(F.dropout(x, p, training), out)
    at = torch.arange(x.numel(), device=x.device) % 1024
    return _give(_masked(x, (torch.rand(1024, device=x.device) >= p)[at], p), out)


def dropout_before_softmax(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Drops elements of the product."""
    x = F.log_softmax(F.dropout(torch.mv(input, vec), p, training), dim)
    return _give(x, out)


def no_logarithm(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Softmax."""
    x = F.softmax(torch.mv(input, vec), dim)
    return _give(F.dropout(x, p, training), out)


def no_max_subtraction(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Exponentiates the products as they are."""
    z = torch.mv(input, vec)
    x = z - torch.log(torch.exp(z).sum()) if dim in (0, -1) else F.log_softmax(z, dim)
    return _give(F.dropout(x, p, training), out)


def one_block_of_rows(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Sums over the first 1024 rows only."""
    z = torch.mv(input, vec)
    x = z - torch.logsumexp(z[:1024], dim)
    return _give(F.dropout(x, p, training), out)


def padding_counts(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Sums over a power-of-two block in which missing products are 0."""
    z = torch.mv(input, vec)
    missing = (1 << max(len(z) - 1, 0).bit_length()) - len(z)
    x = z - torch.logsumexp(torch.cat([z, z.new_zeros(missing)]), dim)
    return _give(F.dropout(x, p, training), out)


def first_block_of_columns(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """One block of 1024 columns and no loop."""
    x = F.log_softmax(torch.mv(input[:, :1024], vec[:1024]), dim)
    return _give(F.dropout(x, p, training), out)


def tf32_product(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Rounds the float32 operands to TF32."""
    x = F.log_softmax(torch.mv(_tf32(input), _tf32(vec)), dim)
    return _give(F.dropout(x, p, training), out)


def dim_unchecked(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Ignores dim, even one that does not exist."""
    x = F.log_softmax(torch.mv(input, vec), 0)
    return _give(F.dropout(x, p, training), out)


def out_not_written(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    x = F.log_softmax(torch.mv(input, vec), dim)
    return F.dropout(x, p, training)
