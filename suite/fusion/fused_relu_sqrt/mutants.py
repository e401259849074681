"""Plausible wrong implementations of the square root of ReLU; each must be rejected."""
import torch


def _give(input, result, inplace, out):
    if inplace:
        return input.copy_(result)
    return result if out is None else out.copy_(result)


def no_relu(input, inplace=False, out=None):
    """Takes the root of negative numbers: NaN."""
    return _give(input, torch.sqrt(input), inplace, out)


def root_of_modulus(input, inplace=False, out=None):
    """sqrt(|x|)."""
    return _give(input, torch.sqrt(torch.abs(input)), inplace, out)


def no_root(input, inplace=False, out=None):
    """ReLU alone."""
    result = torch.relu(input)
    return _give(input, result if result.is_floating_point() else result.float(), inplace, out)


def root_rounded_for_integers(input, inplace=False, out=None):
    """Integer inputs get the integer part of the root."""
    result = torch.sqrt(torch.relu(input))
    return _give(input, result if input.is_floating_point() else torch.floor(result), inplace, out)


def integer_result(input, inplace=False, out=None):
    """The result has the input's dtype, integers too."""
    return _give(input, torch.sqrt(torch.relu(input)).to(input.dtype), inplace, out)


def wraps_to_int32(input, inplace=False, out=None):
    """Reads 64-bit integers as 32-bit ones."""
    x = input if input.is_floating_point() else input.int()
    return _give(input, torch.sqrt(torch.relu(x)), inplace, out)


def inplace_ignored(input, inplace=False, out=None):
    """Never writes into input."""
    return _give(input, torch.sqrt(torch.relu(input)), False, out)


def always_inplace(input, inplace=False, out=None):
    """Writes into floating inputs whether asked or not."""
    result = torch.sqrt(torch.relu(input))
    if input.is_floating_point() and 0 not in input.stride():
        input.copy_(result)
    return _give(input, result, inplace, out)


def nan_to_zero(input, inplace=False, out=None):
    """A maximum that drops NaN."""
    return _give(input, torch.sqrt(torch.relu(torch.nan_to_num(input, nan=0.0, posinf=float("inf")))), inplace, out)


def small_constant_added(input, inplace=False, out=None):
    """sqrt(relu(x) + 1e-6), to be safe at 0."""
    return _give(input, torch.sqrt(torch.relu(input) + 1e-6), inplace, out)


def one_block(input, inplace=False, out=None):
    """One program of 65536 elements and no grid: what lies beyond stays 0."""
    result = torch.sqrt(torch.relu(input)).contiguous()
    result.view(-1)[65536:] = 0
    return _give(input, result, inplace, out)


def out_not_written(input, inplace=False, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _give(input, torch.sqrt(torch.relu(input)), inplace, None)
