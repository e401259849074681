"""Plausible wrong versions of the product, dropout and GELU; each must be rejected."""
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


def not_scaled(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Survivors are not divided by 1 - p."""
    x = torch.bmm(input1, input2)
    d = F.dropout(x, p, training)
    return _give(F.gelu(d * (1 - p) if training else d, approximate=approximate), out)


def training_ignored(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Drops in evaluation mode too."""
    x = torch.bmm(input1, input2)
    return _give(F.gelu(F.dropout(x, p), approximate=approximate), out)


def never_drops(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Scales but keeps every element."""
    x = torch.bmm(input1, input2)
    return _give(F.gelu(x / (1 - p) if training and p < 1 else x, approximate=approximate), out)


def drops_the_complement(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Keeps with probability p instead of dropping with it."""
    x = torch.bmm(input1, input2)
    if not training or p in (0.0, 1.0) or x.numel() == 0:
        return _give(F.gelu(F.dropout(x, p, training), approximate=approximate), out)
    return _give(F.gelu(_masked(x, torch.rand(x.shape, device=x.device) < p, p), approximate=approximate), out)


def same_mask_every_call(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """The seed is a constant: every call drops the same elements."""
    x = torch.bmm(input1, input2)
    if not training or p in (0.0, 1.0) or x.numel() == 0:
        return _give(F.gelu(F.dropout(x, p, training), approximate=approximate), out)
    generator = torch.Generator(device=x.device).manual_seed(0)
    keep = torch.rand(x.shape, device=x.device, generator=generator) >= p
    return _give(F.gelu(_masked(x, keep, p), approximate=approximate), out)


def one_mask_for_all_batches(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """The counter starts anew in every batch."""
    x = torch.bmm(input1, input2)
    if not training or p in (0.0, 1.0) or x.numel() == 0:
        return _give(F.gelu(F.dropout(x, p, training), approximate=approximate), out)
    keep = (torch.rand(x.shape[1:], device=x.device) >= p).expand(x.shape)
    return _give(F.gelu(_masked(x, keep, p), approximate=approximate), out)


def one_mask_for_all_tiles(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Every tile of 64 rows counts from 0: its mask is that of the first tile of its batch."""
    x = torch.bmm(input1, input2)
    if not training or p in (0.0, 1.0) or x.numel() == 0:
        return _give(F.gelu(F.dropout(x, p, training), approximate=approximate), out)
    at = torch.arange(x.shape[1], device=x.device) % 64
    keep = (torch.rand((x.shape[0], 64, x.shape[2]), device=x.device) >= p)[:, at]
    return _give(F.gelu(_masked(x, keep, p), approximate=approximate), out)


def one_draw_a_row(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Drops whole rows."""
    x = torch.bmm(input1, input2)
    if not training or p in (0.0, 1.0) or x.numel() == 0:
        return _give(F.gelu(F.dropout(x, p, training), approximate=approximate), out)
    keep = torch.rand(x.shape[:-1] + (1,), device=x.device) >= p
    return _give(F.gelu(_masked(x, keep, p), approximate=approximate), out)


def gelu_before_dropout(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Activates first and scales afterwards."""
    z = F.gelu(torch.bmm(input1, input2), approximate=approximate)
    return _give(F.dropout(z, p, training), out)


def no_gelu(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Leaves the activation out."""
    return _give(F.dropout(torch.bmm(input1, input2), p, training), out)


def tanh_for_erf(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Uses the tanh form whatever is asked for."""
    z = F.dropout(torch.bmm(input1, input2), p, training)
    return _give(F.gelu(z, approximate="tanh"), out)


def erf_for_tanh(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Uses the exact form whatever is asked for."""
    return _give(F.gelu(F.dropout(torch.bmm(input1, input2), p, training)), out)


def tf32_operands(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    z = F.dropout(torch.bmm(_tf32(input1), _tf32(input2)), p, training)
    return _give(F.gelu(z, approximate=approximate), out)


def first_block_of_terms(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """One block of 1024 terms and no loop."""
    z = F.dropout(torch.bmm(input1[..., :1024], input2[:, :1024]), p, training)
    return _give(F.gelu(z, approximate=approximate), out)


def first_batch_for_all(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Forgets the batch stride of input2."""
    z = torch.matmul(input1, input2[0]) if len(input2) else torch.bmm(input1, input2)
    return _give(F.gelu(F.dropout(z, p, training), approximate=approximate), out)


def out_not_written(input1, input2, p=0.5, training=True, inplace=False, approximate="none", *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return F.gelu(F.dropout(torch.bmm(input1, input2), p, training), approximate=approximate)
