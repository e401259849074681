"""Plausible wrong implementations of index_fill_; each must be rejected."""
import torch


def not_in_place(dim, x, index, value):
    """Fills a copy and leaves x as it was."""
    return x.index_fill(dim, index, value)


def wrong_dim(dim, x, index, value):
    """Fills along the last dimension whatever dim says."""
    return x.index_fill_(-1, index % x.shape[-1] if x.shape[-1] else index[:0], value)


def negative_index_ignored(dim, x, index, value):
    """Skips negative indices instead of counting from the end."""
    return x.index_fill_(dim, index[index >= 0], value)


def last_index_missed(dim, x, index, value):
    """The grid is one index short."""
    return x.index_fill_(dim, index[:-1], value)


def fills_everything(dim, x, index, value):
    """Fills the whole tensor when there is an index."""
    return x.fill_(value) if index.numel() else x


def value_through_float32(dim, x, index, value):
    """Hands the number to the kernel as float32."""
    rounded = torch.as_tensor(value).to(torch.float32)
    return x.index_fill_(dim, index, rounded.to(x.dtype))


def adds_value(dim, x, index, value):
    """Adds the value to the slices instead of overwriting them."""
    chosen = torch.zeros(x.shape[dim], dtype=torch.bool, device=x.device)
    chosen[index] = True
    shape = [1] * x.dim()
    shape[dim] = -1
    return x.copy_(torch.where(chosen.view(shape), x + value if x.dtype != torch.bool else ~x, x))


def written_as_contiguous(dim, x, index, value):
    """Ignores the strides: writes the result into the storage in row-major order."""
    filled = x.index_fill(dim, index, value)
    x.as_strided((x.numel(),), (1,)).copy_(filled.reshape(-1))
    return x
