"""Plausible wrong implementations of dropout and hard shrinkage; each must be rejected."""
import torch
import torch.nn.functional as F


def not_scaled(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """Survivors are not divided by 1 - p."""
    kept = F.dropout(input, p=p, training=training, inplace=inplace)
    return F.hardshrink(kept * (1 - p) if training else kept, lambd)


def shrinks_first(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """Compares with the threshold before scaling."""
    return F.dropout(F.hardshrink(input, lambd), p=p, training=training)


def training_ignored(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """Drops in evaluation mode too."""
    return F.hardshrink(F.dropout(input, p=p, training=True), lambd)


def never_drops(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """Scales but keeps every element."""
    return F.hardshrink(input / (1 - p) if training and p < 1 else input, lambd)


def drops_the_complement(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """Keeps with probability p instead of dropping with it."""
    if not training or p in (0.0, 1.0):
        return F.hardshrink(F.dropout(input, p=p, training=training, inplace=inplace), lambd)
    keep = torch.rand(input.shape, device=input.device) < p
    return F.hardshrink(torch.where(keep, input / (1 - p), torch.zeros_like(input)), lambd)


def same_mask_every_call(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """The seed is a constant: every call drops the same elements."""
    if not training or p in (0.0, 1.0):
        return F.hardshrink(F.dropout(input, p=p, training=training, inplace=inplace), lambd)
    generator = torch.Generator(device=input.device).manual_seed(0)
    keep = torch.rand(input.shape, device=input.device, generator=generator) >= p
    return F.hardshrink(torch.where(keep, input / (1 - p), torch.zeros_like(input)), lambd)


def one_draw_a_block(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """One random number for each block of 1024 elements: whole blocks are dropped."""
    if not training or p in (0.0, 1.0):
        return F.hardshrink(F.dropout(input, p=p, training=training, inplace=inplace), lambd)
    block = torch.arange(input.numel(), device=input.device) // 1024
    keep = (torch.rand(input.numel() // 1024 + 1, device=input.device) >= p)[block].view(input.shape)
    return F.hardshrink(torch.where(keep, input / (1 - p), torch.zeros_like(input)), lambd)


def soft_shrink(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """Soft instead of hard shrinkage."""
    return F.softshrink(F.dropout(input, p=p, training=training, inplace=inplace), lambd)


def lambd_ignored(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """The threshold is always 0.5."""
    return F.hardshrink(F.dropout(input, p=p, training=training, inplace=inplace))


def threshold_included(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """Keeps elements that equal the threshold."""
    kept = F.dropout(input, p=p, training=training, inplace=inplace)
    return torch.where(kept.abs() >= lambd, kept, torch.zeros_like(kept))


def inplace_ignored(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """Never writes into input."""
    return F.hardshrink(F.dropout(input, p=p, training=training), lambd)


def stops_at_65536(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = F.hardshrink(F.dropout(input, p=p, training=training, inplace=inplace), lambd).contiguous()
    result.view(-1)[65536:] = 0
    return result


def nan_dropped(input, p=0.5, training=True, inplace=False, lambd=0.5):
    """Keeps what is beyond the threshold, which NaN is not."""
    y = F.dropout(input, p=p, training=training)
    return torch.where(y.abs() > lambd, y, 0)
