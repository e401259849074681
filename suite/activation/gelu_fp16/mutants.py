"""Plausible wrong GELU implementations for float16; each must be rejected."""
import torch


def tanh_for_erf(input, approximate="none"):
    """Uses the tanh form whatever is asked for."""
    return torch.nn.functional.gelu(input, approximate="tanh")


def erf_for_tanh(input, approximate="none"):
    """Uses the exact form whatever is asked for."""
    return torch.nn.functional.gelu(input)


def steps_in_half(input, approximate="none"):
    """Rounds the distribution function to float16 before it is used: the negative tail is lost."""
    if approximate == "tanh":
        inner = 0.7978845608028654 * (input + 0.044715 * input ** 3)
        return 0.5 * input * (1 + torch.tanh(inner))
    return 0.5 * input * (1 + torch.erf(input * 0.7071067811865476))


def relu_instead(input, approximate="none"):
    """ReLU: right only far from zero."""
    return torch.relu(input)


def sigmoid_form(input, approximate="none"):
    """The coarse x * sigmoid(1.702 x) approximation."""
    return input * torch.sigmoid(1.702 * input)


def linear_term_missing(input, approximate="none"):
    """x * erf(x / sqrt(2)) / 2: the x / 2 term is forgotten."""
    return input * 0.5 * torch.erf(input.float() * 0.7071067811865476).to(input.dtype)


def exponential_overflow(input, approximate="none"):
    """tanh written as (e^2z - 1) / (e^2z + 1): inf / inf for large x."""
    if approximate == "none":
        return torch.nn.functional.gelu(input)
    x = input.float()
    e = torch.exp(2 * 0.7978845608028654 * (x + 0.044715 * x ** 3))
    return (0.5 * x * (1 + (e - 1) / (e + 1))).to(input.dtype)


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


def grid_of_65536(input, approximate="none"):
    """Never more than 64 programs of 1024 elements: what lies beyond is not written."""
    y = torch.nn.functional.gelu(input, approximate=approximate).contiguous()
    y.view(-1)[65536:] = 0
    return y


def returns_float32(input, approximate="none"):
    """Forgets to round back: the result is float32."""
    return torch.nn.functional.gelu(input.float(), approximate=approximate)


def reads_as_contiguous(input, approximate="none"):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    flat = input.as_strided((length,), (1,))
    x = flat[torch.arange(input.numel(), device=input.device) % max(length, 1)].view(input.shape)
    return torch.nn.functional.gelu(x, approximate=approximate)
