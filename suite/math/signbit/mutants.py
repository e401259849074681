"""Plausible wrong implementations of the sign bit; each must be rejected."""
import torch


def _give(result, out):
    """The result, or out filled with it."""
    return result if out is None else out.copy_(result)


def less_than_zero(input, out=None):
    """x < 0: False for -0.0."""
    return _give(input < 0, out)


def not_positive(input, out=None):
    """x <= 0: True for 0.0."""
    return _give(input <= 0, out)


def inverted(input, out=None):
    """True for positive numbers."""
    return _give(~torch.signbit(input), out)


def reciprocal(input, out=None):
    """1 / x < 0: right for -0.0, but the reciprocal of -inf is -0.0."""
    return _give(1 / input < 0 if input.is_floating_point() else input < 0, out)


def flushes_subnormals(input, out=None):
    """Takes numbers below 1.2e-38 for positive zeros."""
    if not input.is_floating_point():
        return _give(torch.signbit(input), out)
    return _give(torch.signbit(input) & ((input == 0) | (input.abs() >= 1.1754944e-38)), out)


def through_float32(input, out=None):
    """Converts to float32 and multiplies by one: small float64 numbers become zeros without a sign."""
    return _give(input.to(torch.float32) < 0 if input.dtype == torch.float64 else torch.signbit(input), out)


def highest_bit(input, out=None):
    """Looks at the highest bit, also of numbers without a sign."""
    return _give(input >= 128 if input.dtype == torch.uint8 else torch.signbit(input), out)


def lower_half(input, out=None):
    """Takes the sign of the lower 32 bits of a 64-bit integer."""
    return _give(torch.signbit(input.to(torch.int32) if input.dtype == torch.int64 else input), out)


def sign_as_number(input, out=None):
    """Returns 1 and 0 in input's dtype instead of a bool tensor."""
    result = torch.signbit(input)
    return result.to(input.dtype) if out is None else out.copy_(result)


def nan_is_negative(input, out=None):
    """!(x >= 0): True for NaN, False for -0.0."""
    return _give(~(input >= 0), out)


def out_not_written(input, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.signbit(input)


def out_written_as_contiguous(input, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.signbit(input)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.signbit(input).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.signbit(input).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return _give(result, out)
