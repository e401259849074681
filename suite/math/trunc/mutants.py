"""Plausible wrong implementations of trunc; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def floored(input, out=None):
    """Rounds down: negative fractions end one too low."""
    return _give(torch.floor(input), out)


def rounded(input, out=None):
    """Rounds to the nearest whole number."""
    return _give(torch.round(input) if input.is_floating_point() else input.clone(), out)


def away_from_zero(input, out=None):
    """Rounds away from zero."""
    return _give(torch.where(input < 0, torch.floor(input), torch.ceil(input)), out)


def floor_of_magnitude(input, out=None):
    """floor(|x|) without the sign."""
    return _give(torch.floor(torch.abs(input)), out)


def through_float32(input, out=None):
    """Converts to float32 on the way: integers and float64 lose digits."""
    return _give(torch.trunc(input.to(torch.float32)).to(input.dtype), out)


def through_int32(input, out=None):
    """Converts to int32 and back: NaN, inf and large numbers become something else."""
    return _give(torch.trunc(input).to(torch.int32).to(input.dtype), out)


def zero(input, out=None):
    """0 everywhere, which is right for the numbers from [0, 1) of the published timing."""
    return _give(torch.zeros_like(input), out)


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.trunc(input).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.trunc(input).contiguous()
    result.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(input, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    places = torch.arange(input.numel(), device=input.device) % max(length, 1)
    input = input.as_strided((length,), (1,))[places].view(input.shape)
    return _give(torch.trunc(input), out)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.trunc(input)


def out_written_as_contiguous(input, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.trunc(input)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out


def out_in_float32_only(input, out=None):
    """Half precision and float64 take a way of their own, which forgets out."""
    y = torch.trunc(input)
    return y if out is None or input.dtype != torch.float32 else out.copy_(y)
