"""Plausible wrong implementations of the arcsine; each must be rejected."""
import torch


def arccosine(input_tensor):
    """acos."""
    return torch.acos(input_tensor)


def sine(input_tensor):
    """The sine, whose inverse is meant."""
    return torch.sin(input_tensor)


def series(input_tensor):
    """The first four terms of the series at 0: far off near 1."""
    return input_tensor + input_tensor**3 / 6 + 3 * input_tensor**5 / 40 + 15 * input_tensor**7 / 336


def clamped(input_tensor):
    """Clamps x to [-1, 1]: a number where NaN belongs."""
    return torch.asin(input_tensor.clamp(-1, 1))


def magnitude(input_tensor):
    """asin(|x|): forgets the sign."""
    return torch.asin(input_tensor.abs())


def zero_outside(input_tensor):
    """Gives 0 instead of NaN beyond 1."""
    return torch.nan_to_num(torch.asin(input_tensor))


def four_digits(input_tensor):
    """The four-term fit of Abramowitz and Stegun 4.4.45: right to 5e-5."""
    a = input_tensor.abs()
    fit = 1.5707288 + a * (-0.2121144 + a * (0.0742610 - 0.0187293 * a))
    return torch.sign(input_tensor) * (torch.pi / 2 - torch.sqrt(1 - a) * fit)


def half_arithmetic(input_tensor):
    """Computes in float16 whatever the dtype."""
    return torch.asin(input_tensor.half()).to(input_tensor.dtype)


def in_float32(input_tensor):
    """Computes float64 in float32."""
    return torch.asin(input_tensor.float()).to(input_tensor.dtype)


def one_block(input_tensor):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.asin(input_tensor).contiguous()
    result.view(-1)[4096:] = 0
    return result


def tail_dropped(input_tensor):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.asin(input_tensor).contiguous()
    result.view(-1)[input_tensor.numel() // 256 * 256:] = 0
    return result


def reads_as_contiguous(input_tensor):
    """Ignores the strides: takes the storage as it lies."""
    length = input_tensor.untyped_storage().nbytes() // input_tensor.element_size() - input_tensor.storage_offset()
    places = torch.arange(input_tensor.numel(), device=input_tensor.device) % max(length, 1)
    input_tensor = input_tensor.as_strided((length,), (1,))[places].view(input_tensor.shape)
    return torch.asin(input_tensor)
