"""Plausible wrong implementations of selecting, adding and GELU; each must be rejected."""
import torch
import torch.nn.functional as F


def _finish(selected, other, alpha, approximate, out):
    result = F.gelu(torch.add(selected, other, alpha=alpha), approximate=approximate)
    return result if out is None else out.copy_(result)


def inverted(input, mask, other, *, alpha=1, approximate="none", out=None):
    """Selects where the mask is false."""
    return _finish(torch.masked_select(input, ~mask), other, alpha, approximate, None)


def alpha_ignored(input, mask, other, *, alpha=1, approximate="none", out=None):
    """Adds other unscaled."""
    return _finish(torch.masked_select(input, mask), other, 1, approximate, out)


def tanh_for_erf(input, mask, other, *, alpha=1, approximate="none", out=None):
    """Uses the tanh form whatever is asked for."""
    return _finish(torch.masked_select(input, mask), other, alpha, "tanh", out)


def erf_for_tanh(input, mask, other, *, alpha=1, approximate="none", out=None):
    """Uses the exact form whatever is asked for."""
    return _finish(torch.masked_select(input, mask), other, alpha, "none", out)


def addend_rounded_to_half(input, mask, other, *, alpha=1, approximate="none", out=None):
    """alpha * other passes through float16."""
    addend = torch.as_tensor(other, dtype=torch.float32).mul(alpha).half().to(input.device, input.dtype)
    return _finish(torch.masked_select(input, mask), addend, 1, approximate, out)


def filled_not_selected(input, mask, other, *, alpha=1, approximate="none", out=None):
    """Keeps the input's shape and zeroes what is not selected."""
    return _finish(input.masked_fill(~mask, 0), other, alpha, approximate, None).masked_fill(~mask, 0)


def blocks_in_any_order(input, mask, other, *, alpha=1, approximate="none", out=None):
    """Each block of 256 claims its place with an atomic counter: later blocks may come first."""
    input, mask = torch.broadcast_tensors(input, mask)
    x, m = input.reshape(-1), mask.reshape(-1)
    starts = range(0, max(x.numel(), 1), 256)
    chosen = torch.cat([torch.masked_select(x[s:s + 256], m[s:s + 256]) for s in reversed(starts)])
    return _finish(chosen, other, alpha, approximate, out)


def column_order(input, mask, other, *, alpha=1, approximate="none", out=None):
    """Walks matrices in column-major order."""
    input, mask = torch.broadcast_tensors(input, mask)
    order = list(range(input.dim()))[::-1]
    return _finish(torch.masked_select(input.permute(order), mask.permute(order)), other, alpha, approximate, out)


def one_block(input, mask, other, *, alpha=1, approximate="none", out=None):
    """Has 65536 elements in view and no grid: what comes after is not selected."""
    input, mask = torch.broadcast_tensors(input, mask)
    chosen = torch.masked_select(input.reshape(-1)[:65536], mask.reshape(-1)[:65536])
    return _finish(chosen, other, alpha, approximate, out)


def mask_not_broadcast(input, mask, other, *, alpha=1, approximate="none", out=None):
    """Reads the mask cyclically instead of broadcasting it."""
    shape = torch.broadcast_shapes(input.shape, mask.shape)
    flags = mask.reshape(-1)
    index = torch.arange(shape.numel(), device=mask.device) % max(flags.numel(), 1)
    return _finish(torch.masked_select(input.expand(shape).reshape(-1), flags[index]), other, alpha, approximate, out)


def out_not_written(input, mask, other, *, alpha=1, approximate="none", out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _finish(torch.masked_select(input, mask), other, alpha, approximate, None)
