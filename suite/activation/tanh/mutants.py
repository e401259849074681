"""Plausible wrong implementations of the hyperbolic tangent; each must be rejected."""
import torch


def _give(y, out_tensor):
    """What every version does with its result."""
    return y if out_tensor is None else out_tensor.copy_(y)


def quotient_of_exponentials(input_tensor, out_tensor=None):
    """(e^2x - 1) / (e^2x + 1): inf / inf for large x."""
    e = torch.exp(2 * input_tensor)
    return _give((e - 1) / (e + 1), out_tensor)


def taylor_polynomial(input_tensor, out_tensor=None):
    """x - x^3 / 3 + 2 x^5 / 15: holds for small arguments only."""
    x = input_tensor
    return _give((x - x ** 3 / 3 + 2 * x ** 5 / 15).clamp(-1, 1), out_tensor)


def rational_approximation(input_tensor, out_tensor=None):
    """x (27 + x^2) / (27 + 9 x^2), cut off at 3: wrong in the third digit."""
    x = input_tensor.clamp(-3, 3)
    return _give(x * (27 + x * x) / (27 + 9 * x * x), out_tensor)


def argument_not_doubled(input_tensor, out_tensor=None):
    """2 sigmoid(x) - 1 is tanh(x / 2)."""
    return _give(torch.tanh(input_tensor / 2), out_tensor)


def exponentials_in_half(input_tensor, out_tensor=None):
    """Rounds the exponential to half precision."""
    e = torch.exp(-2 * input_tensor.abs()).half().to(input_tensor.dtype)
    y = (1 - e) / (1 + e)
    return _give(torch.where(input_tensor < 0, -y, y), out_tensor)


def out_not_written(input_tensor, out_tensor=None):
    """Returns a new tensor and leaves out_tensor as it was."""
    return torch.tanh(input_tensor)


def out_read_as_contiguous(input_tensor, out_tensor=None):
    """Writes out_tensor in storage order, whatever its strides."""
    y = torch.tanh(input_tensor)
    if out_tensor is None or out_tensor.is_contiguous():
        return y if out_tensor is None else out_tensor.copy_(y)
    out_tensor.as_strided((out_tensor.numel(),), (1,)).copy_(y.reshape(-1))
    return out_tensor


def one_block(input_tensor, out_tensor=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    y = torch.tanh(input_tensor).contiguous()
    y.view(-1)[4096:] = 0
    return _give(y, out_tensor)


def tail_dropped(input_tensor, out_tensor=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    y = torch.tanh(input_tensor).contiguous()
    y.view(-1)[input_tensor.numel() // 256 * 256:] = 0
    return _give(y, out_tensor)


def grid_of_65536(input_tensor, out_tensor=None):
    """Never more than 64 programs of 1024 elements: what lies beyond is not written."""
    y = torch.tanh(input_tensor).contiguous()
    y.view(-1)[65536:] = 0
    return _give(y, out_tensor)


def reads_as_contiguous(input_tensor, out_tensor=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input_tensor.untyped_storage().nbytes() // input_tensor.element_size() - input_tensor.storage_offset()
    flat = input_tensor.as_strided((length,), (1,))
    x = flat[torch.arange(input_tensor.numel(), device=input_tensor.device) % max(length, 1)].view(input_tensor.shape)
    y = torch.tanh(x)
    return _give(y, out_tensor)


def out_in_float32_only(input_tensor, out_tensor=None):
    """Half precision and float64 take a way of their own, which forgets out."""
    y = torch.tanh(input_tensor)
    return y if out_tensor is None or input_tensor.dtype != torch.float32 else out_tensor.copy_(y)
