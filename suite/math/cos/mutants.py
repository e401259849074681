"""Plausible wrong implementations of the cosine; each must be rejected."""
import torch


def sine(input_tensor):
    """sin."""
    return torch.sin(input_tensor)


def taylor_polynomial(input_tensor):
    """A polynomial at 0 that holds for small arguments only."""
    z = input_tensor * input_tensor
    return 1 - z / 2 + z**2 / 24 - z**3 / 720


def degrees(input_tensor):
    """Takes the argument for degrees."""
    return torch.cos(input_tensor * (torch.pi / 180))


def half_period(input_tensor):
    """Reduces modulo pi and loses the sign."""
    return torch.cos(torch.remainder(input_tensor, torch.pi))


def coarse_reduction(input_tensor):
    """Subtracts multiples of a 2 pi rounded to float32: off by thousandths after thousands of periods."""
    turns = torch.round(input_tensor * 0.15915494309189535)
    return torch.cos(input_tensor - turns * 6.2831855)


def zero_for_infinity(input_tensor):
    """Gives 0 instead of NaN for the infinities."""
    return torch.where(torch.isinf(input_tensor), torch.zeros_like(input_tensor), torch.cos(input_tensor))


def half_arithmetic(input_tensor):
    """Computes in float16 whatever the dtype."""
    return torch.cos(input_tensor.half()).to(input_tensor.dtype)


def in_float32(input_tensor):
    """Computes float64 in float32."""
    return torch.cos(input_tensor.float()).to(input_tensor.dtype)


def one_block(input_tensor):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.cos(input_tensor).contiguous()
    result.view(-1)[4096:] = 0
    return result


def tail_dropped(input_tensor):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.cos(input_tensor).contiguous()
    result.view(-1)[input_tensor.numel() // 256 * 256:] = 0
    return result


def reads_as_contiguous(input_tensor):
    """Ignores the strides: takes the storage as it lies."""
    length = input_tensor.untyped_storage().nbytes() // input_tensor.element_size() - input_tensor.storage_offset()
    places = torch.arange(input_tensor.numel(), device=input_tensor.device) % max(length, 1)
    input_tensor = input_tensor.as_strided((length,), (1,))[places].view(input_tensor.shape)
    return torch.cos(input_tensor)
