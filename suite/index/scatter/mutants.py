"""Plausible wrong implementations of scatter; each must be rejected."""
import torch


def _storage_order(x):
    """The storage of x read in row-major order, as far as it goes that far."""
    room = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
    return x if room < x.numel() else x.as_strided((x.numel(),), (1,)).view(x.shape)


def in_place(input, dim, index, src):
    """Writes into input itself."""
    y = torch.scatter(input, dim, index, src)
    if input.numel() and 0 not in input.stride():
        input.copy_(y)
    return y


def wrong_dim(input, dim, index, src):
    """Scatters along the last dimension whatever dim says."""
    if input.numel() == 0 or index.numel() == 0:
        return torch.scatter(input, dim, index, src)
    part = index[tuple(slice(0, n) for n in input.shape)]
    return torch.scatter(input, -1, part % input.shape[-1], src)


def gathers(input, dim, index, src):
    """Reads src where index says and writes in order."""
    part = index[tuple(slice(0, n) for n in input.shape)]
    y = input.clone(memory_format=torch.contiguous_format)
    if part.numel() > 0:
        y[tuple(slice(0, n) for n in part.shape)] = src.gather(dim, part % src.shape[dim])
    return y


def index_ignored(input, dim, index, src):
    """Writes src into the first positions."""
    y = input.clone(memory_format=torch.contiguous_format)
    box = tuple(slice(0, min(n, m)) for n, m in zip(index.shape, y.shape, strict=True))
    y[box] = src[box]
    return y


def adds(input, dim, index, src):
    """Adds src to what stands there."""
    if input.dtype == torch.bool:
        return torch.scatter(input, dim, index, ~src)
    return torch.scatter_add(input, dim, index, src)


def zeros_elsewhere(input, dim, index, src):
    """Positions that no index names become zero."""
    return torch.scatter(torch.zeros_like(input), dim, index, src)


def src_as_index_shaped(input, dim, index, src):
    """Reads src as if it had index's shape."""
    packed = src.reshape(-1)[:index.numel()].view(index.shape)
    return torch.scatter(input, dim, index, packed)


def src_as_contiguous(input, dim, index, src):
    """Reads the storage of src in row-major order whatever its strides."""
    return torch.scatter(input, dim, index, _storage_order(src))


def index_as_contiguous(input, dim, index, src):
    """Reads the storage of index in row-major order whatever its strides."""
    return torch.scatter(input, dim, _storage_order(index) % max(input.shape[dim], 1), src)


def one_index_a_row(input, dim, index, src):
    """Takes the first column of index for the whole row."""
    if dim % input.dim() == input.dim() - 1:
        return torch.scatter(input, dim, index, src)
    return torch.scatter(input, dim, index[..., :1].expand(index.shape), src)


def through_float32(input, dim, index, src):
    """Copies through float32."""
    return torch.scatter(input.float(), dim, index, src.float()).to(input.dtype)


def one_block(input, dim, index, src):
    """Copies 65536 elements and no more."""
    y = torch.scatter(input, dim, index, src).contiguous()
    y.view(-1)[65536:] = 0
    return y


def input_as_it_lies(input, dim, index, src):
    """Ignores the strides of input alone: seen only where src does not overwrite all of it."""
    return torch.scatter(_storage_order(input), dim, index, src)
