"""Plausible wrong implementations of log |Gamma|; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def digamma(input, out=None):
    """Its derivative."""
    return _give(torch.digamma(input), out)


def log_factorial(input, out=None):
    """log Gamma(x + 1)."""
    return _give(torch.lgamma(input + 1), out)


def leading_terms(input, out=None):
    """Stirling's formula without the series."""
    return _give((input - 0.5) * torch.log(input) - input + 0.9189385332046728, out)


def stirling_everywhere(input, out=None):
    """Stirling's series at every x: wrong below 3."""
    series = 1 / (12 * input) - 1 / (360 * input**3)
    return _give((input - 0.5) * torch.log(input) - input + 0.9189385332046728 + series, out)


def log_of_gamma(input, out=None):
    """The logarithm of an overflowing Gamma: inf from 35 on."""
    return _give(torch.log(torch.exp(torch.lgamma(input)).abs()), out)


def nan_below_zero(input, out=None):
    """NaN for every negative x."""
    return _give(torch.where(input < 0, torch.full_like(input, torch.nan), torch.lgamma(input)), out)


def mirrored(input, out=None):
    """log Gamma(|x|)."""
    return _give(torch.lgamma(input.abs()), out)


def reflection_without_sine(input, out=None):
    """Forgets the sine in the reflection."""
    return _give(torch.where(input < 0, 1.1447298858494002 - torch.lgamma(1 - input), torch.lgamma(input)), out)


def poles_as_numbers(input, out=None):
    """A large number at the poles."""
    return _give(torch.nan_to_num(torch.lgamma(input)), out)


def in_float32(input, out=None):
    """Computes float64 in float32."""
    return _give(torch.lgamma(input.float()).to(input.dtype), out)


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.lgamma(input).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.lgamma(input).contiguous()
    result.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(input, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    places = torch.arange(input.numel(), device=input.device) % max(length, 1)
    input = input.as_strided((length,), (1,))[places].view(input.shape)
    return _give(torch.lgamma(input), out)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.lgamma(input)


def out_written_as_contiguous(input, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.lgamma(input)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out
