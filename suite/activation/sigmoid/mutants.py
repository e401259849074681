"""Plausible wrong implementations of the logistic function; each must be rejected."""
import torch


def _give(y, out):
    """What every version does with its result."""
    return y if out is None else out.copy_(y)


def quotient_of_exponentials(input, out=None):
    """exp(x) / (1 + exp(x)): inf / inf for large x."""
    e = torch.exp(input)
    return _give(e / (1 + e), out)


def one_minus_positive_side(input, out=None):
    """1 - sigmoid(-x): results near 0 lose their digits."""
    return _give(1 - torch.sigmoid(-input), out)


def hard_sigmoid(input, out=None):
    """The piecewise linear approximation."""
    return _give(torch.nn.functional.hardsigmoid(input), out)


def sign_of_exponent(input, out=None):
    """1 / (1 + exp(x)): falls instead of rising."""
    return _give(torch.sigmoid(-input), out)


def tanh_not_rescaled(input, out=None):
    """(1 + tanh(x)) / 2: the argument is not halved."""
    return _give((1 + torch.tanh(input)) / 2, out)


def through_float16(input, out=None):
    """Rounds the result to half precision on the way."""
    return _give(torch.sigmoid(input).half().to(input.dtype), out)


def out_not_written(input, out=None):
    """Returns a new tensor and leaves out as it was."""
    return torch.sigmoid(input)


def out_read_as_contiguous(input, out=None):
    """Writes out in storage order, whatever its strides."""
    y = torch.sigmoid(input)
    if out is None or out.is_contiguous():
        return y if out is None else out.copy_(y)
    out.as_strided((out.numel(),), (1,)).copy_(y.reshape(-1))
    return out


def one_block(input, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    y = torch.sigmoid(input).contiguous()
    y.view(-1)[4096:] = 0
    return _give(y, out)


def tail_dropped(input, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    y = torch.sigmoid(input).contiguous()
    y.view(-1)[input.numel() // 256 * 256:] = 0
    return _give(y, out)


def grid_of_65536(input, out=None):
    """Never more than 64 programs of 1024 elements: what lies beyond is not written."""
    y = torch.sigmoid(input).contiguous()
    y.view(-1)[65536:] = 0
    return _give(y, out)


def reads_as_contiguous(input, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    flat = input.as_strided((length,), (1,))
    x = flat[torch.arange(input.numel(), device=input.device) % max(length, 1)].view(input.shape)
    y = torch.sigmoid(x)
    return _give(y, out)


def out_in_float32_only(input, out=None):
    """Half precision and float64 take a way of their own, which forgets out."""
    y = torch.sigmoid(input)
    return y if out is None or input.dtype != torch.float32 else out.copy_(y)
