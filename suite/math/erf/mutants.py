"""Plausible wrong implementations of the error function; each must be rejected."""
import torch


def complement(input_tensor):
    """erfc."""
    return torch.erfc(input_tensor)


def hyperbolic_tangent(input_tensor):
    """The tanh that the fast form of GELU rests on: right to three digits."""
    return torch.tanh(1.1283791670955126 * (input_tensor + 0.08943 * input_tensor**3))


def series(input_tensor):
    """Seven terms of the series at 0: diverges beyond 2."""
    z = input_tensor * input_tensor
    terms = 1 - z / 3 + z**2 / 10 - z**3 / 42 + z**4 / 216 - z**5 / 1320 + z**6 / 9360
    return 1.1283791670955126 * input_tensor * terms


def normal_distribution(input_tensor):
    """2 Phi(x) - 1: forgets the factor sqrt(2) in the argument."""
    return torch.erf(input_tensor * 0.7071067811865476)


def even(input_tensor):
    """Forgets the sign."""
    return torch.erf(input_tensor.abs())


def coarse_fit(input_tensor):
    """Abramowitz and Stegun 7.1.25, right to 2.5e-5."""
    a = input_tensor.abs()
    t = 1 / (1 + 0.47047 * a)
    fit = t * (0.3480242 + t * (-0.0958798 + t * 0.7478556))
    return torch.sign(input_tensor) * (1 - fit * torch.exp(-a * a))


def absolute_fit(input_tensor):
    """Abramowitz and Stegun 7.1.26: 1.5e-7 absolute, which is everything near 0."""
    a = input_tensor.abs()
    t = 1 / (1 + 0.3275911 * a)
    fit = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return torch.sign(input_tensor) * (1 - fit * torch.exp(-a * a))


def in_float32(input_tensor):
    """Computes float64 in float32."""
    return torch.erf(input_tensor.float()).to(input_tensor.dtype)


def one_block(input_tensor):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.erf(input_tensor).contiguous()
    result.view(-1)[4096:] = 0
    return result


def tail_dropped(input_tensor):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.erf(input_tensor).contiguous()
    result.view(-1)[input_tensor.numel() // 256 * 256:] = 0
    return result


def reads_as_contiguous(input_tensor):
    """Ignores the strides: takes the storage as it lies."""
    length = input_tensor.untyped_storage().nbytes() // input_tensor.element_size() - input_tensor.storage_offset()
    places = torch.arange(input_tensor.numel(), device=input_tensor.device) % max(length, 1)
    input_tensor = input_tensor.as_strided((length,), (1,))[places].view(input_tensor.shape)
    return torch.erf(input_tensor)
