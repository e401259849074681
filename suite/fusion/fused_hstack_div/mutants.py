"""Plausible wrong implementations of a stack divided by a divisor; each must be rejected."""
import torch


def _give(result, out):
    """The result, or out filled with it."""
    return result if out is None else out.copy_(result)


def _divide(stack, divisor, rounding_mode, out):
    return _give(torch.div(stack, divisor, rounding_mode=rounding_mode), out)


def stacked_vertically(tensors, divisor, *, rounding_mode=None, out=None):
    """Puts the tensors below each other, with the right shape."""
    stack = torch.hstack(list(tensors))
    rows = torch.cat([x.reshape(-1) for x in tensors]).reshape(stack.shape)
    return _divide(rows, divisor, rounding_mode, out)


def last_dimension(tensors, divisor, *, rounding_mode=None, out=None):
    """Joins along the last dimension also where there are three."""
    if tensors[0].dim() < 3 or len({x.shape[1] for x in tensors}) > 1:
        return _divide(torch.hstack(list(tensors)), divisor, rounding_mode, out)
    return _divide(torch.cat(list(tensors), -1), divisor, rounding_mode, out)


def interleaved(tensors, divisor, *, rounding_mode=None, out=None):
    """Takes columns in turn where all tensors are of one size."""
    stack = torch.hstack(list(tensors))
    if len({x.shape for x in tensors}) == 1 and tensors[0].dim() == 2:
        stack = torch.stack(list(tensors), -1).reshape(stack.shape)
    return _divide(stack, divisor, rounding_mode, out)


def first_two_only(tensors, divisor, *, rounding_mode=None, out=None):
    """Knows two tensors: a third one's part stays 0."""
    stack = torch.hstack(list(tensors)).clone()
    width = sum(x.shape[-1] for x in tensors[:2]) if stack.dim() == 2 else stack.numel()
    if stack.dim() == 2:
        stack[:, width:] = 0
    return _divide(stack, divisor, rounding_mode, out)


def at_most_three(tensors, divisor, *, rounding_mode=None, out=None):
    """Knows three tensors: the columns of more stay 0."""
    stack = torch.hstack(list(tensors)).clone()
    if stack.dim() == 2:
        stack[:, sum(x.shape[1] for x in tensors[:3]):] = 0
    return _divide(stack, divisor, rounding_mode, out)


def width_of_the_first(tensors, divisor, *, rounding_mode=None, out=None):
    """Takes all tensors for as wide as the first: offsets are multiples of its width."""
    stack = torch.hstack(list(tensors))
    if stack.dim() != 2:
        return _divide(stack, divisor, rounding_mode, out)
    wrong, width = torch.zeros_like(stack), tensors[0].shape[1]
    for k, x in enumerate(tensors):
        room = min(width, x.shape[1], stack.shape[1] - k * width)
        if room > 0:
            wrong[:, k * width:k * width + room] = x[:, :room]
    return _divide(wrong, divisor, rounding_mode, out)


def sum_of_tensors(tensors, divisor, *, rounding_mode=None, out=None):
    """Adds up tensors of one shape instead of placing them side by side."""
    stack = torch.hstack(list(tensors))
    if len({x.shape for x in tensors}) == 1:
        stack = torch.hstack([sum(tensors)] * len(tensors))
    return _divide(stack, divisor, rounding_mode, out)


def multiplied(tensors, divisor, *, rounding_mode=None, out=None):
    """Multiplies by the divisor."""
    result = torch.div(torch.hstack(list(tensors)), divisor, rounding_mode=rounding_mode)
    return _give((torch.hstack(list(tensors)) * divisor).to(result.dtype), out)


def always_two(tensors, divisor, *, rounding_mode=None, out=None):
    """Divides by 2 whatever the divisor is, as the published tests do."""
    result = torch.div(torch.hstack(list(tensors)), divisor, rounding_mode=rounding_mode)
    return _give(torch.div(torch.hstack(list(tensors)), 2, rounding_mode=rounding_mode).to(result.dtype), out)


def one_divisor_for_all(tensors, divisor, *, rounding_mode=None, out=None):
    """Loads one element of the divisor and takes it for a scalar."""
    if isinstance(divisor, torch.Tensor) and divisor.numel() > 0:
        divisor = divisor.reshape(-1)[:1].reshape((1,) * divisor.dim())
    return _divide(torch.hstack(list(tensors)), divisor, rounding_mode, out)


def divisor_starts_anew(tensors, divisor, *, rounding_mode=None, out=None):
    """Indexes the divisor within each tensor instead of within the stack."""
    stack = torch.hstack(list(tensors))
    if not isinstance(divisor, torch.Tensor):
        return _divide(stack, divisor, rounding_mode, out)
    dim = 0 if stack.dim() == 1 else 1
    full = divisor.expand(stack.shape)
    again = torch.cat([full.narrow(dim, 0, x.shape[dim] if x.dim() else 1) for x in tensors], dim)
    return _divide(stack, again, rounding_mode, out)


def rounding_ignored(tensors, divisor, *, rounding_mode=None, out=None):
    """Divides without rounding whatever rounding_mode says."""
    stack = torch.hstack(list(tensors))
    result = torch.div(stack, divisor, rounding_mode=rounding_mode)
    return _give(torch.div(stack, divisor).to(result.dtype), out)


def trunc_is_floor(tensors, divisor, *, rounding_mode=None, out=None):
    """Rounds down where it should cut: the same above zero."""
    mode = "floor" if rounding_mode == "trunc" else rounding_mode
    return _divide(torch.hstack(list(tensors)), divisor, mode, out)


def floor_is_trunc(tensors, divisor, *, rounding_mode=None, out=None):
    """Cuts where it should round down: integer division of C."""
    mode = "trunc" if rounding_mode == "floor" else rounding_mode
    return _divide(torch.hstack(list(tensors)), divisor, mode, out)


def integers_through_float32(tensors, divisor, *, rounding_mode=None, out=None):
    """Rounds integer quotients in float32: large ones are off."""
    stack = torch.hstack(list(tensors))
    result = torch.div(stack, divisor, rounding_mode=rounding_mode)
    if result.is_floating_point():
        return _give(result, out)
    return _give(torch.div(stack.float(), divisor, rounding_mode=rounding_mode).to(result.dtype), out)


def out_not_written(tensors, divisor, *, rounding_mode=None, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.div(torch.hstack(list(tensors)), divisor, rounding_mode=rounding_mode)


def one_block(tensors, divisor, *, rounding_mode=None, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.div(torch.hstack(list(tensors)), divisor, rounding_mode=rounding_mode).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def stops_at_65536(tensors, divisor, *, rounding_mode=None, out=None):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = torch.div(torch.hstack(tensors), divisor, rounding_mode=rounding_mode).contiguous()
    result.view(-1)[65536:] = 0
    return result if out is None else out.copy_(result)
