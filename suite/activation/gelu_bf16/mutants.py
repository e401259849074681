"""Plausible wrong GELU implementations for bfloat16; each must be rejected."""
import torch


def returns_float32(input, approximate="none"):
    """Forgets to round back: the result is float32."""
    return torch.nn.functional.gelu(input.float(), approximate=approximate)


def through_float16(input, approximate="none"):
    """Computes in float16: values above 65504 become inf."""
    return torch.nn.functional.gelu(input.half(), approximate=approximate).to(input.dtype)


def relu_instead(input, approximate="none"):
    """ReLU: right only far from zero."""
    return torch.relu(input)


def linear_term_missing(input, approximate="none"):
    """x * erf(x / sqrt(2)) / 2: the x / 2 term is forgotten."""
    return input * 0.5 * torch.erf(input.float() * 0.7071067811865476).to(input.dtype)


def one_block(input, approximate="none"):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    y = torch.nn.functional.gelu(input, approximate=approximate).contiguous()
    y.view(-1)[4096:] = 0
    return y


def tail_dropped(input, approximate="none"):
    """The grid is numel // 256: the ragged last block is never computed."""
    y = torch.nn.functional.gelu(input, approximate=approximate).contiguous()
    y.view(-1)[input.numel() // 256 * 256:] = 0
    return y


def exponential_overflow(input, approximate="none"):
    """tanh written as (e^2z - 1) / (e^2z + 1): inf / inf for large x."""
    if approximate == "none":
        return torch.nn.functional.gelu(input)
    x = input.float()
    e = torch.exp(2 * 0.7978845608028654 * (x + 0.044715 * x ** 3))
    return (0.5 * x * (1 + (e - 1) / (e + 1))).to(input.dtype)


def stops_at_65536(input, approximate="none"):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = torch.nn.functional.gelu(input, approximate=approximate).contiguous()
    result.view(-1)[65536:] = 0
    return result


def tanh_for_erf(input, approximate="none"):
    """Uses the tanh form whatever is asked for."""
    return torch.nn.functional.gelu(input, approximate="tanh")


def erf_for_tanh(input, approximate="none"):
    """Uses the exact form whatever is asked for."""
    return torch.nn.functional.gelu(input)


def sigmoid_form(input, approximate="none"):
    """The coarse x * sigmoid(1.702 x) approximation."""
    return input * torch.sigmoid(1.702 * input)
