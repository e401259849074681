"""Plausible wrong implementations of the reciprocal; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def magnitude(input, out=None):
    """1 / |x|: forgets the sign."""
    return _give(1 / input.abs(), out)


def square_root(input, out=None):
    """1 / sqrt(x)."""
    return _give(torch.rsqrt(input), out)


def guarded(input, out=None):
    """Adds 1e-6 to the denominator against the division by zero."""
    return _give(1 / (input + 1e-6), out)


def zero_at_zero(input, out=None):
    """Gives 0 instead of inf where x is 0."""
    return _give(torch.where(input == 0, torch.zeros_like(input), 1 / input), out)


def positive_infinity_only(input, out=None):
    """Gives +inf for -0.0 as well."""
    return _give(torch.where(input == 0, torch.full_like(input, torch.inf), 1 / input), out)


def half_arithmetic(input, out=None):
    """Divides in float16 whatever the dtype."""
    return _give((1 / input.half()).to(input.dtype), out)


def in_float32(input, out=None):
    """Computes float64 in float32."""
    return _give(torch.reciprocal(input.float()).to(input.dtype), out)


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.reciprocal(input).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.reciprocal(input).contiguous()
    result.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(input, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    places = torch.arange(input.numel(), device=input.device) % max(length, 1)
    input = input.as_strided((length,), (1,))[places].view(input.shape)
    return _give(torch.reciprocal(input), out)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.reciprocal(input)


def out_written_as_contiguous(input, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.reciprocal(input)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out


def out_in_float32_only(input, out=None):
    """Half precision and float64 take a way of their own, which forgets out."""
    y = torch.reciprocal(input)
    return y if out is None or input.dtype != torch.float32 else out.copy_(y)
