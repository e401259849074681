"""Plausible wrong implementations of 1 / sqrt(x); each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def root(input, out=None):
    """Forgets the reciprocal."""
    return _give(torch.sqrt(input), out)


def reciprocal(input, out=None):
    """Forgets the root."""
    return _give(1 / input, out)


def with_eps(input, out=None):
    """rsqrt(x + 1e-5), as a normalization has it."""
    return _give(torch.rsqrt(input + 1e-5), out)


def of_magnitude(input, out=None):
    """Gives a number where x is negative."""
    return _give(torch.rsqrt(input.abs()), out)


def zero_for_negative(input, out=None):
    """Gives 0 instead of NaN where x is negative."""
    return _give(torch.where(input < 0, torch.zeros_like(input), torch.rsqrt(input)), out)


def zero_at_zero(input, out=None):
    """Gives 0 instead of inf where x is 0."""
    return _give(torch.where(input == 0, torch.zeros_like(input), torch.rsqrt(input)), out)


def bit_trick(input, out=None):
    """The magic constant 0x5f3759df and one Newton step: right to three digits."""
    half = input.float() * 0.5
    guess = (0x5F3759DF - (input.float().contiguous().view(torch.int32) >> 1)).view(torch.float32)
    return _give((guess * (1.5 - half * guess * guess)).to(input.dtype), out)


def in_float32(input, out=None):
    """Computes float64 in float32."""
    return _give(torch.rsqrt(input.float()).to(input.dtype), out)


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.rsqrt(input).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.rsqrt(input).contiguous()
    result.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(input, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    places = torch.arange(input.numel(), device=input.device) % max(length, 1)
    input = input.as_strided((length,), (1,))[places].view(input.shape)
    return _give(torch.rsqrt(input), out)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.rsqrt(input)


def out_written_as_contiguous(input, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.rsqrt(input)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out


def out_in_float32_only(input, out=None):
    """Half precision and float64 take a way of their own, which forgets out."""
    y = torch.rsqrt(input)
    return y if out is None or input.dtype != torch.float32 else out.copy_(y)
