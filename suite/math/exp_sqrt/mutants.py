"""Plausible wrong implementations of sqrt(exp(x)); each must be rejected."""
import torch


def exp_of_sqrt(input, out=None):
    """The other order: exp(sqrt(x)), NaN below zero."""
    result = torch.exp(torch.sqrt(input))
    return result if out is None else out.copy_(result)


def exp_only(input, out=None):
    """Forgets the square root."""
    result = torch.exp(input)
    return result if out is None else out.copy_(result)


def half_arithmetic(input, out=None):
    """Computes in float16 whatever the dtype: float32 loses digits and range."""
    result = torch.exp(input.half() * 0.5).to(input.dtype)
    return result if out is None else out.copy_(result)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.exp(input * 0.5)


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.exp(input * 0.5).contiguous()
    result.view(-1)[4096:] = 0
    return result if out is None else out.copy_(result)


def tail_dropped(input, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.exp(input * 0.5).contiguous()
    result.view(-1)[input.numel() // 256 * 256:] = 0
    return result if out is None else out.copy_(result)


def clamped(input, out=None):
    """Clamps the input to [-10, 10], as the published tests do to theirs."""
    result = torch.exp(input.clamp(-10, 10) * 0.5)
    return result if out is None else out.copy_(result)


def out_written_as_contiguous(input, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.exp(input * 0.5)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out


def stops_at_65536(input, out=None):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = torch.exp(input * 0.5).contiguous()
    result.view(-1)[65536:] = 0
    return result if out is None else out.copy_(result)
