"""Plausible wrong GELU implementations for int8; each must be rejected."""
import torch


def _gelu(input, approximate):
    """The real GELU."""
    return torch.nn.functional.gelu(input.float(), approximate=approximate)


def rounded(input, approximate="none"):
    """Rounds to the nearest integer instead of truncating."""
    return torch.round(_gelu(input, approximate)).to(torch.int8)


def floored(input, approximate="none"):
    """Rounds down: small negative values become -1."""
    return torch.floor(_gelu(input, approximate)).to(torch.int8)


def relu_instead(input, approximate="none"):
    """ReLU: no deduction for 1 to 5."""
    return torch.relu(input)


def one_less_everywhere(input, approximate="none"):
    """Takes x - 1 for every positive x: right up to 5 only."""
    return torch.relu(input - 1).where(input > 0, torch.zeros_like(input))


def returns_float(input, approximate="none"):
    """Forgets to convert back."""
    return _gelu(input, approximate)


def through_bfloat16(input, approximate="none"):
    """Rounds to bfloat16 before truncating: 4 gives 4 and 3 gives 3."""
    return _gelu(input, approximate).bfloat16().to(torch.int8)


def unsigned_input(input, approximate="none"):
    """Reads the bytes as unsigned: negative numbers become large ones."""
    return _gelu(input.view(torch.uint8), approximate).to(torch.int32).to(torch.int8)


def linear_term_missing(input, approximate="none"):
    """x * erf(x / sqrt(2)) / 2: the x / 2 term is forgotten."""
    x = input.float()
    return (0.5 * x * torch.erf(x * 0.7071067811865476)).to(torch.int8)


def one_block(input, approximate="none"):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    y = _gelu(input, approximate).to(torch.int8).contiguous()
    y.view(-1)[4096:] = 0
    return y


def tail_dropped(input, approximate="none"):
    """The grid is numel // 256: the ragged last block is never computed."""
    y = _gelu(input, approximate).to(torch.int8).contiguous()
    y.view(-1)[input.numel() // 256 * 256:] = 0
    return y


def grid_of_65536(input, approximate="none"):
    """Never more than 64 programs of 1024 elements: what lies beyond is not written."""
    y = _gelu(input, approximate).to(torch.int8).contiguous()
    y.view(-1)[65536:] = 0
    return y


def reads_as_contiguous(input, approximate="none"):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    flat = input.as_strided((length,), (1,))
    x = flat[torch.arange(input.numel(), device=input.device) % max(length, 1)].view(input.shape)
    y = _gelu(x, approximate).to(torch.int8)
    return y
