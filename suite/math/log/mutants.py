"""Plausible wrong implementations of the natural logarithm; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def base_two(input, out=None):
    """log2: forgets the factor ln 2."""
    return _give(torch.log2(input), out)


def base_ten(input, out=None):
    """log10."""
    return _give(torch.log10(input), out)


def one_plus(input, out=None):
    """log(1 + x)."""
    return _give(torch.log1p(input), out)


def guarded(input, out=None):
    """log(x + 1e-6), the offset of the published timing."""
    return _give(torch.log(input + 1e-6), out)


def of_magnitude(input, out=None):
    """Gives a number where x is negative."""
    return _give(torch.log(input.abs()), out)


def clamped(input, out=None):
    """Clamps x to 1e-12: -inf and NaN become numbers."""
    return _give(torch.log(input.clamp(min=1e-12)), out)


def minus_infinity_below_zero(input, out=None):
    """Gives -inf instead of NaN where x is negative."""
    return _give(torch.where(input <= 0, torch.full_like(input, -torch.inf), torch.log(input)), out)


def half_arithmetic(input, out=None):
    """Computes in float16 whatever the dtype."""
    return _give(torch.log(input.half()).to(input.dtype), out)


def in_float32(input, out=None):
    """Computes float64 in float32."""
    return _give(torch.log(input.float()).to(input.dtype), out)


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.log(input).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.log(input).contiguous()
    result.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(input, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    places = torch.arange(input.numel(), device=input.device) % max(length, 1)
    input = input.as_strided((length,), (1,))[places].view(input.shape)
    return _give(torch.log(input), out)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.log(input)


def out_written_as_contiguous(input, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.log(input)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out


def out_in_float32_only(input, out=None):
    """Half precision and float64 take a way of their own, which forgets out."""
    y = torch.log(input)
    return y if out is None or input.dtype != torch.float32 else out.copy_(y)
