"""Plausible wrong implementations of tanh(sqrt(x)); each must be rejected."""
import torch


def _give(result, out):
    """The result, or out filled with it."""
    return result if out is None else out.copy_(result)


def sqrt_of_tanh(input, out=None):
    """The other order."""
    return _give(torch.sqrt(torch.tanh(input)), out)


def tanh_only(input, out=None):
    """Forgets the root."""
    return _give(torch.tanh(input), out)


def root_only(input, out=None):
    """Forgets tanh: the same for small numbers."""
    return _give(torch.sqrt(input), out)


def zero_below_zero(input, out=None):
    """Gives 0 where the root of a negative element is NaN."""
    return _give(torch.tanh(torch.sqrt(input.clamp(min=0))), out)


def abs_under_the_root(input, out=None):
    """Gives a number where the root of a negative element is NaN."""
    return _give(torch.tanh(torch.sqrt(input.abs())), out)


def exponential_overflow(input, out=None):
    """(e^2y - 1) / (e^2y + 1): inf / inf for large y."""
    e = torch.exp(2 * torch.sqrt(input))
    return _give((e - 1) / (e + 1), out)


def cancellation(input, out=None):
    """1 - 2 / (e^2y + 1): no digits are left where y is small."""
    return _give(1 - 2 / (torch.exp(2 * torch.sqrt(input)) + 1), out)


def rational_tanh(input, out=None):
    """y (27 + y^2) / (27 + 9 y^2): right to two digits."""
    y = torch.sqrt(input).clamp(max=3)
    return _give(y * (27 + y * y) / (27 + 9 * y * y), out)


def through_half(input, out=None):
    """Computes in float16."""
    return _give(torch.tanh(torch.sqrt(input.half())).to(input.dtype), out)


def through_float32(input, out=None):
    """Computes float64 in float32: what is small there becomes 0."""
    return _give(torch.tanh(torch.sqrt(input.float())).to(input.dtype), out)


def nan_becomes_zero(input, out=None):
    """Replaces every NaN by 0."""
    return _give(torch.nan_to_num(torch.tanh(torch.sqrt(input))), out)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.tanh(torch.sqrt(input))


def out_written_as_contiguous(input, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.tanh(torch.sqrt(input))
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.tanh(torch.sqrt(input)).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.tanh(torch.sqrt(input)).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return _give(result, out)
