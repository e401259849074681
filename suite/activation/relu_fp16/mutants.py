"""Plausible wrong implementations of ReLU on float16; each must be rejected."""
import torch


def nan_dropped(input):
    """fmax(x, 0): NaN becomes 0."""
    return torch.relu(torch.nan_to_num(input, nan=0.0, posinf=float("inf"), neginf=float("-inf")))


def multiplied_by_mask(input):
    """x * (x > 0): -inf times 0 is NaN."""
    return input * (input > 0)


def leaky(input):
    """Keeps a hundredth of the negative part."""
    return torch.nn.functional.leaky_relu(input, 0.01)


def absolute_value(input):
    """Mirrors what is negative."""
    return input.abs()


def one_block(input):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    y = torch.relu(input).contiguous()
    y.view(-1)[4096:] = 0
    return y


def tail_dropped(input):
    """The grid is numel // 256: the ragged last block is never computed."""
    y = torch.relu(input).contiguous()
    y.view(-1)[input.numel() // 256 * 256:] = 0
    return y


def grid_of_65536(input):
    """Never more than 64 programs of 1024 elements: what lies beyond is not written."""
    y = torch.relu(input).contiguous()
    y.view(-1)[65536:] = 0
    return y


def returns_float32(input):
    """Forgets to round back: the result is float32."""
    return torch.relu(input.float())


def reads_as_contiguous(input):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    flat = input.as_strided((length,), (1,))
    x = flat[torch.arange(input.numel(), device=input.device) % max(length, 1)].view(input.shape)
    return torch.relu(x)
