"""Plausible wrong implementations of degrees and square root; each must be rejected."""
import torch


def deg2rad(input):
    """The other direction."""
    return torch.deg2rad(input), torch.sqrt(input)


def pi_with_three_digits(input):
    """Multiplies by 180 / 3.14."""
    return input * (180 / 3.14), torch.sqrt(input)


def root_of_degrees(input):
    """One after the other: the root is taken of the degrees."""
    degrees = torch.rad2deg(input)
    return degrees, torch.sqrt(degrees)


def degrees_of_root(input):
    """One after the other: the degrees are those of the root."""
    root = torch.sqrt(input)
    return torch.rad2deg(root), root


def abs_under_the_root(input):
    """Gives a number where the root of a negative element is NaN."""
    return torch.rad2deg(input), torch.sqrt(input.abs())


def clamped(input):
    """Replaces negative elements by 0 before both."""
    input = input.clamp(min=0)
    return torch.rad2deg(input), torch.sqrt(input)


def clamped_root(input):
    """Gives 0 where the root of a negative element is NaN."""
    return torch.rad2deg(input), torch.sqrt(input.clamp(min=0))


def eps_under_the_root(input):
    """Adds 1e-8 under the root: small numbers show it."""
    return torch.rad2deg(input), torch.sqrt(input + 1e-8)


def wrapped_to_a_circle(input):
    """Reduces the degrees to one turn."""
    return torch.remainder(torch.rad2deg(input), 360), torch.sqrt(input)


def through_half(input):
    """Computes in float16."""
    return torch.rad2deg(input.half()).to(input.dtype), torch.sqrt(input.half()).to(input.dtype)


def through_float32(input):
    """Computes float64 in float32: large numbers become inf."""
    return torch.rad2deg(input.float()).to(input.dtype), torch.sqrt(input.float()).to(input.dtype)


def swapped(input):
    """Returns the two results in the other order."""
    return torch.sqrt(input), torch.rad2deg(input)


def one_block(input):
    """One program of 4096 elements: the rest stays 0."""
    degrees, root = torch.rad2deg(input).contiguous(), torch.sqrt(input).contiguous()
    degrees.view(-1)[4096:] = 0
    root.view(-1)[4096:] = 0
    return degrees, root


def one_result(input):
    """Returns the degrees alone."""
    return torch.rad2deg(input)
