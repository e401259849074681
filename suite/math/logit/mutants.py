"""Plausible wrong implementations of the logit; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def eps_ignored(input, eps=None, out=None):
    """Never clamps."""
    return _give(torch.logit(input), out)


def always_clamped(input, eps=None, out=None):
    """Clamps to [1e-6, 1 - 1e-6] even when eps is None: no infinity and no NaN."""
    return _give(torch.logit(input, 1e-6 if eps is None else eps), out)


def zero_eps_ignored(input, eps=None, out=None):
    """if eps: takes eps = 0 for None."""
    return _give(torch.logit(input, eps if eps else None), out)


def clamped_below_only(input, eps=None, out=None):
    """Forgets the upper bound 1 - eps."""
    return _give(torch.logit(input if eps is None else input.clamp(min=eps)), out)


def eps_added(input, eps=None, out=None):
    """Adds eps to numerator and denominator instead of clamping."""
    return _give(torch.log((input + (eps or 0)) / (1 - input + (eps or 0))), out)


def inverse(input, eps=None, out=None):
    """The logistic function, whose inverse is meant."""
    return _give(torch.sigmoid(input), out)


def negated(input, eps=None, out=None):
    """log((1 - x) / x)."""
    return _give(-torch.logit(input, eps), out)


def log_only(input, eps=None, out=None):
    """Forgets the denominator."""
    return _give(torch.log(input if eps is None else input.clamp(eps, 1 - eps)), out)


def nan_clamped(input, eps=None, out=None):
    """min and max that drop NaN: a NaN becomes eps."""
    return _give(torch.logit(input if eps is None else torch.nan_to_num(input, nan=eps), eps), out)


def eps_in_float32(input, eps=None, out=None):
    """Passes the bounds to the kernel as float32: 1 - 1e-9 is 1."""
    if eps is None:
        return _give(torch.logit(input), out)
    low, high = torch.tensor([eps, 1 - eps], dtype=torch.float32).tolist()
    return _give(torch.logit(input.clamp(low, high)), out)


def in_float32(input, eps=None, out=None):
    """Computes float64 in float32."""
    return _give(torch.logit(input.float(), eps).to(input.dtype), out)


def one_block(input, eps=None, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.logit(input, eps).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, eps=None, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.logit(input, eps).contiguous()
    result.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(input, eps=None, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    places = torch.arange(input.numel(), device=input.device) % max(length, 1)
    input = input.as_strided((length,), (1,))[places].view(input.shape)
    return _give(torch.logit(input, eps), out)


def out_not_written(input, eps=None, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.logit(input, eps)


def out_written_as_contiguous(input, eps=None, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.logit(input, eps)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out
