"""Plausible wrong implementations of sigmoid on float16; each must be rejected."""
import torch


def quotient_of_exponentials(input):
    """exp(x) / (1 + exp(x)): inf / inf for large x."""
    e = torch.exp(input.float())
    return (e / (1 + e)).to(input.dtype)


def one_minus_positive_side(input):
    """1 - sigmoid(-x) rounded on the way: small results lose their digits."""
    return 1 - torch.sigmoid(-input)


def hard_sigmoid(input):
    """The piecewise linear approximation."""
    return torch.nn.functional.hardsigmoid(input)


def sign_of_exponent(input):
    """1 / (1 + exp(x)): falls instead of rising."""
    return torch.sigmoid(-input)


def tanh_not_rescaled(input):
    """(1 + tanh(x)) / 2: the argument is not halved."""
    return ((1 + torch.tanh(input.float())) / 2).to(input.dtype)


def exponential_in_half(input):
    """exp(-x) in float16: inf from x = -11.1 on, so what is left of there becomes 0."""
    return (1 / (1 + torch.exp(-input).float())).to(input.dtype)


def one_block(input):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    y = torch.sigmoid(input).contiguous()
    y.view(-1)[4096:] = 0
    return y


def tail_dropped(input):
    """The grid is numel // 256: the ragged last block is never computed."""
    y = torch.sigmoid(input).contiguous()
    y.view(-1)[input.numel() // 256 * 256:] = 0
    return y


def grid_of_65536(input):
    """Never more than 64 programs of 1024 elements: what lies beyond is not written."""
    y = torch.sigmoid(input).contiguous()
    y.view(-1)[65536:] = 0
    return y


def returns_float32(input):
    """Forgets to round back: the result is float32."""
    return torch.sigmoid(input.float())


def reads_as_contiguous(input):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    flat = input.as_strided((length,), (1,))
    x = flat[torch.arange(input.numel(), device=input.device) % max(length, 1)].view(input.shape)
    return torch.sigmoid(x)
