"""Plausible wrong implementations of log(1 + x); each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def log_of_sum(input, out=None):
    """log(1 + x): nothing is left of a small x."""
    return _give(torch.log(1 + input), out)


def log_of_x(input, out=None):
    """Forgets the 1."""
    return _give(torch.log(input), out)


def linear(input, out=None):
    """Takes x for log(1 + x) where |x| < 0.01."""
    return _give(torch.where(input.abs() < 0.01, input, torch.log(1 + input)), out)


def base_two(input, out=None):
    """log2(1 + x)."""
    return _give(torch.log1p(input) * 1.4426950408889634, out)


def of_magnitude(input, out=None):
    """log(1 + |x|): a number for every argument."""
    return _give(torch.log1p(input.abs()), out)


def clamped(input, out=None):
    """Clamps x to -0.999999: -inf and NaN become numbers."""
    return _give(torch.log1p(input.clamp(min=-0.999999)), out)


def in_float32(input, out=None):
    """Adds and takes the logarithm in float32, whatever the dtype."""
    return _give(torch.log(1 + input.float()).to(input.dtype), out)


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.log1p(input).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.log1p(input).contiguous()
    result.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(input, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    places = torch.arange(input.numel(), device=input.device) % max(length, 1)
    input = input.as_strided((length,), (1,))[places].view(input.shape)
    return _give(torch.log1p(input), out)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.log1p(input)


def out_written_as_contiguous(input, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.log1p(input)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out


def out_in_float32_only(input, out=None):
    """Half precision and float64 take a way of their own, which forgets out."""
    y = torch.log1p(input)
    return y if out is None or input.dtype != torch.float32 else out.copy_(y)
