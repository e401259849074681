"""Plausible wrong implementations of expand_where; each must be rejected."""
import torch


def _storage_order(x):
    """The storage of x read in row-major order, as far as it goes that far."""
    room = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
    return x if room < x.numel() else x.as_strided((x.numel(),), (1,)).view(x.shape)


def flag_a_row(input, target_sizes, cond, other):
    """Reads the condition as one flag for each row: its first column."""
    x = input.expand(target_sizes)
    flags = cond.expand(x.shape)[..., :1]
    return torch.where(flags, x, other)


def flag_a_column(input, target_sizes, cond, other):
    """Reads the condition as one flag for each column: its first row."""
    x = input.expand(target_sizes)
    flags = cond.expand(x.shape)
    return torch.where(flags[:1] if x.dim() > 1 else flags, x, other)


def negated(input, target_sizes, cond, other):
    """Takes other where the condition is true."""
    return torch.where(~cond, input.expand(target_sizes), other)


def multiplied(input, target_sizes, cond, other):
    """Blends with the condition as a factor: what is not chosen, if infinite or NaN, turns into NaN."""
    if input.dtype == torch.bool:
        return torch.where(cond, input.expand(target_sizes), other)
    flag = cond.to(input.dtype)
    return (flag * input.expand(target_sizes) + (1 - flag) * other).to(input.dtype)


def tiled(input, target_sizes, cond, other):
    """Repeats input's storage in order instead of expanding it."""
    right = torch.where(cond, input.expand(target_sizes), other)
    flat = input.reshape(-1)
    x = flat[torch.arange(right.numel(), device=flat.device) % flat.numel()].view(right.shape)
    return torch.where(cond, x, other)


def through_float32(input, target_sizes, cond, other):
    """Computes in float32 whatever the dtype."""
    other = other.float() if isinstance(other, torch.Tensor) else other
    return torch.where(cond, input.expand(target_sizes).float(), other).to(input.dtype)


def other_first_element(input, target_sizes, cond, other):
    """Takes other for one number."""
    x = input.expand(target_sizes)
    if isinstance(other, torch.Tensor) and other.numel() > 0:
        other = other.reshape(-1)[0]
    return torch.where(cond, x, other)


def strides_of_input_ignored(input, target_sizes, cond, other):
    """Reads input's storage as if it were contiguous."""
    x = _storage_order(input)
    return torch.where(cond, x.expand(target_sizes), other)


def last_row_missing(input, target_sizes, cond, other):
    """The last row of the result stays as other."""
    y = torch.where(cond, input.expand(target_sizes), other)
    if y.numel() > 0:
        y[-1:] = other.expand(y.shape)[-1:] if isinstance(other, torch.Tensor) else other
    return y


def one_block(input, target_sizes, cond, other):
    """Computes 65536 elements and no more."""
    y = torch.where(cond, input.expand(target_sizes), other).contiguous()
    y.view(-1)[65536:] = 0
    return y
