"""Plausible wrong implementations of masked_select; each must be rejected."""
import torch


def inverted(input, mask):
    """Selects where the mask is false."""
    return torch.masked_select(input, ~mask)


def padded_result(input, mask):
    """Returns a tensor as long as the input, zeros after the selected elements."""
    chosen = torch.masked_select(input, mask)
    result = input.new_zeros(torch.broadcast_shapes(input.shape, mask.shape).numel() + 1)
    result[:chosen.numel()] = chosen
    return result


def blocks_in_any_order(input, mask):
    """Each block of 256 claims its place with an atomic counter: later blocks may come first."""
    input, mask = torch.broadcast_tensors(input, mask)
    x, m = input.reshape(-1), mask.reshape(-1)
    starts = range(0, max(x.numel(), 1), 256)
    return torch.cat([torch.masked_select(x[s:s + 256], m[s:s + 256]) for s in reversed(starts)])


def column_order(input, mask):
    """Walks the storage of a transposed tensor: column-major order."""
    input, mask = torch.broadcast_tensors(input, mask)
    order = list(range(input.dim()))[::-1]
    return torch.masked_select(input.permute(order), mask.permute(order))


def first_block_only(input, mask):
    """Selects from the first 1024 elements only."""
    input, mask = torch.broadcast_tensors(input, mask)
    return torch.masked_select(input.reshape(-1)[:1024], mask.reshape(-1)[:1024])


def mask_not_broadcast(input, mask):
    """Reads the mask cyclically instead of broadcasting it."""
    shape = torch.broadcast_shapes(input.shape, mask.shape)
    flags = mask.reshape(-1)
    index = torch.arange(shape.numel(), device=mask.device) % max(flags.numel(), 1)
    return torch.masked_select(input.expand(shape).reshape(-1), flags[index])


def through_float32(input, mask):
    """Copies through float32: large integers and float64 are rounded."""
    return torch.masked_select(input.float(), mask).to(input.dtype)


def filled_not_selected(input, mask):
    """Returns the input with the other elements zeroed."""
    return input.masked_fill(~mask, 0)


def stops_at_65536(input, mask):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = torch.masked_select(input, mask).contiguous()
    result.view(-1)[65536:] = 0
    return result
