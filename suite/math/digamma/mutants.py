"""Plausible wrong implementations of the digamma function; each must be rejected."""
import torch


def log_gamma(input_tensor):
    """log Gamma itself instead of its derivative."""
    return torch.lgamma(input_tensor)


def trigamma(input_tensor):
    """One derivative too many."""
    return torch.polygamma(1, input_tensor)


def leading_terms(input_tensor):
    """log x - 1 / (2 x) without a recurrence: right for large x only."""
    return torch.log(input_tensor) - 0.5 / input_tensor


def series_without_recurrence(input_tensor):
    """The asymptotic series at every x: diverges below 3."""
    w = 1 / (input_tensor * input_tensor)
    return torch.log(input_tensor) - 0.5 / input_tensor - w * (1 / 12 - w * (1 / 120 - w / 252))


def one_step(input_tensor):
    """One step of the recurrence, then the asymptotic series."""
    y = input_tensor + 1
    w = 1 / (y * y)
    return torch.log(y) - 0.5 / y - w * (1 / 12 - w * (1 / 120 - w / 252)) - 1 / input_tensor


def no_reflection(input_tensor):
    """NaN for every negative x."""
    return torch.where(input_tensor < 0, torch.full_like(input_tensor, torch.nan), torch.digamma(input_tensor))


def mirrored(input_tensor):
    """digamma(|x|)."""
    return torch.digamma(input_tensor.abs())


def reflection_sign(input_tensor):
    """Adds pi / tan(pi x) instead of subtracting it."""
    reflected = torch.digamma(1 - input_tensor) + torch.pi / torch.tan(torch.pi * input_tensor)
    return torch.where(input_tensor < 0, reflected, torch.digamma(input_tensor))


def poles_as_numbers(input_tensor):
    """A large number at the poles."""
    return torch.nan_to_num(torch.digamma(input_tensor))


def in_float32(input_tensor):
    """Computes float64 in float32."""
    return torch.digamma(input_tensor.float()).to(input_tensor.dtype)


def one_block(input_tensor):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.digamma(input_tensor).contiguous()
    result.view(-1)[4096:] = 0
    return result


def tail_dropped(input_tensor):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.digamma(input_tensor).contiguous()
    result.view(-1)[input_tensor.numel() // 256 * 256:] = 0
    return result


def reads_as_contiguous(input_tensor):
    """Ignores the strides: takes the storage as it lies."""
    length = input_tensor.untyped_storage().nbytes() // input_tensor.element_size() - input_tensor.storage_offset()
    places = torch.arange(input_tensor.numel(), device=input_tensor.device) % max(length, 1)
    input_tensor = input_tensor.as_strided((length,), (1,))[places].view(input_tensor.shape)
    return torch.digamma(input_tensor)
