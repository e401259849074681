"""Plausible wrong implementations of sign bits and the AND of int8 conversions; each must be rejected."""
import torch


def _int8(x):
    """x as int8, by way of int64."""
    return x.to(torch.int64).to(torch.int8)


def low_bit_only(input, other):
    """Computes bit 0 of the AND."""
    return torch.signbit(input), _int8(input) & _int8(other) & 1


def logical_and(input, other):
    """1 where both are not zero."""
    return torch.signbit(input), ((_int8(input) != 0) & (_int8(other) != 0)).to(torch.int8)


def sign_by_comparison(input, other):
    """x < 0: False for -0.0."""
    return input < 0, _int8(input) & _int8(other)


def sign_by_comparison_beside_float32(input, other):
    """x < 0 for every dtype but float32."""
    sign = torch.signbit(input) if input.dtype == torch.float32 else input < 0
    return sign, _int8(input) & _int8(other)


def sign_of_the_integer(input, other):
    """Takes the sign after the conversion: fractions between -1 and 0 lose theirs."""
    return _int8(input) < 0, _int8(input) & _int8(other)


def rounded_down(input, other):
    """floor instead of a cut: -1.5 becomes -2."""
    return torch.signbit(input), _int8(torch.floor(input)) & _int8(other)


def rounded_to_nearest(input, other):
    """Rounds to the nearest integer."""
    return torch.signbit(input), _int8(torch.round(input).clamp(-128, 127)) & _int8(other)


def magnitude(input, other):
    """Forgets the sign before the AND."""
    return torch.signbit(input), _int8(input.abs()) & _int8(other)


def bits_of_the_float(input, other):
    """ANDs the bits of the float itself instead of those of its integer part."""
    return torch.signbit(input), _int8(input.float().view(torch.int32)) & _int8(other)


def and_with_the_sign(input, other):
    """ANDs the sign bit instead of the number."""
    return torch.signbit(input), torch.signbit(input).to(torch.int8) & _int8(other)


def dtype_of_other(input, other):
    """The AND has other's dtype."""
    return torch.signbit(input), (_int8(input) & _int8(other)).to(other.dtype)


def other_saturated(input, other):
    """Clamps a wider other to the range of int8."""
    return torch.signbit(input), _int8(input) & _int8(other.to(torch.int64).clamp(-128, 127))


def swapped(input, other):
    """Returns the two results in the other order."""
    return _int8(input) & _int8(other), torch.signbit(input)


def broadcast_from_the_left(input, other):
    """Lines the dimensions of other up with the first ones of input."""
    if other.dim() < input.dim() and other.numel() > 1:
        other = other.reshape(other.shape + (1,) * (input.dim() - other.dim()))
    return torch.signbit(input), _int8(input) & _int8(other)


def one_block(input, other):
    """One program of 4096 elements: the rest stays 0."""
    sign, both = torch.signbit(input).contiguous(), (_int8(input) & _int8(other)).contiguous()
    sign.view(-1)[4096:] = False
    both.view(-1)[4096:] = 0
    return sign, both
