"""Plausible wrong implementations of index_select; each must be rejected."""
import torch


def _storage_order(x):
    """The storage of x read in row-major order, as far as it goes that far."""
    room = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
    return x if room < x.numel() else x.as_strided((x.numel(),), (1,)).view(x.shape)


def wrong_dim(input, dim, index):
    """Selects along the first dimension whatever dim says."""
    if index.numel() == 0 or input.numel() == 0:
        return torch.index_select(input, dim, index)
    return torch.index_select(input, 0, index % input.shape[0])


def index_ignored(input, dim, index):
    """The first slices, in order."""
    count = torch.arange(index.numel(), device=index.device)
    return torch.index_select(input, dim, count % max(input.shape[dim], 1))


def sorted_index(input, dim, index):
    """Sorts the indices."""
    return torch.index_select(input, dim, index.reshape(-1).sort().values)


def distinct_index(input, dim, index):
    """A repeated index leaves zeros."""
    y = torch.index_select(input, dim, index)
    seen, lost = set(), []
    for at, i in enumerate(index.reshape(-1).tolist()):
        if i in seen:
            lost.append(at)
        seen.add(i)
    return y.index_fill(dim, torch.tensor(lost, dtype=torch.int64, device=y.device), 0)


def last_slice_missing(input, dim, index):
    """The grid is one slice short."""
    y = torch.index_select(input, dim, index)
    return y.index_fill(dim, torch.tensor([index.numel() - 1], device=y.device), 0) if index.numel() else y


def index_as_contiguous(input, dim, index):
    """Reads the storage of index in order whatever its stride."""
    order = index.as_strided((index.numel(),), (1,))
    return torch.index_select(input, dim, order % max(input.shape[dim], 1))


def input_as_contiguous(input, dim, index):
    """Reads the storage of input in row-major order whatever its strides."""
    x = _storage_order(input)
    return torch.index_select(x, dim, index)


def through_float32(input, dim, index):
    """Copies through float32."""
    return torch.index_select(input, dim, index).float().to(input.dtype)


def index_as_int64(input, dim, index):
    """Reads an int32 index as if it were int64."""
    if index.dtype == torch.int32:
        index = index.new_zeros(index.shape) + index[:1]
    return torch.index_select(input, dim, index)


def one_block(input, dim, index):
    """Copies 65536 elements and no more."""
    y = torch.index_select(input, dim, index)
    y.view(-1)[65536:] = 0
    return y


def rows_cut(input, dim, index):
    """Copies 4096 elements of a row and no more."""
    y = torch.index_select(input, dim, index)
    y[..., 4096:] = 0
    return y
