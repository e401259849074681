"""Plausible wrong implementations of exp of a tiled tensor; each must be rejected."""
import torch


def _give(result, out):
    """The result, or out filled with it."""
    return result if out is None else out.copy_(result)


def new_leading_dimensions(input, dims, *, out=None):
    """What the published code does: the copies stand in new dimensions before the others."""
    return torch.exp(input.expand((*dims, *input.shape))).contiguous()


def repeat_interleave(input, dims, *, out=None):
    """Repeats each element next to itself instead of the whole dimension."""
    dims = [1] * (input.dim() - len(dims)) + list(dims)
    result = input.reshape((1,) * (len(dims) - input.dim()) + tuple(input.shape))
    for d, copies in enumerate(dims):
        result = result.repeat_interleave(copies, d)
    return _give(torch.exp(result), out)


def dims_from_the_left(input, dims, *, out=None):
    """With fewer numbers than dimensions, repeats the leading ones."""
    return _give(torch.exp(torch.tile(input, list(dims) + [1] * (input.dim() - len(dims)))), out)


def dims_reversed(input, dims, *, out=None):
    """Takes the numbers in reversed order, with the right shape."""
    right = torch.tile(input, dims)
    wrong = torch.tile(input, list(reversed(list(dims))))
    return _give(torch.exp(wrong if wrong.numel() != right.numel() else wrong.reshape(right.shape)), out)


def flat_repetition(input, dims, *, out=None):
    """Repeats the flattened input: right where only the first dimension is repeated."""
    shape = torch.tile(input, dims).shape
    copies = 1
    for d in dims:
        copies *= d
    return _give(torch.exp(input.reshape(-1).repeat(copies).reshape(shape)), out)


def first_copy_only(input, dims, *, out=None):
    """Writes the first copy; the others stay 0."""
    result = torch.exp(torch.tile(input, dims))
    kept = torch.zeros_like(result)
    corner = tuple(slice(0, size) for size in (1,) * (result.dim() - input.dim()) + tuple(input.shape))
    kept[corner] = result[corner]
    return _give(kept, out)


def exp_forgotten(input, dims, *, out=None):
    """Tiles only."""
    return _give(torch.tile(input, dims), out)


def exp_for_each_copy(input, dims, *, out=None):
    """Takes the exponential once more in every copy but the first: exp is applied in place to what lies there."""
    result = torch.exp(torch.tile(input, dims))
    twice = torch.exp(result).contiguous()
    twice.view(-1)[:input.numel()] = result.reshape(-1)[:input.numel()]
    return _give(twice, out)


def half_arithmetic(input, dims, *, out=None):
    """Computes in float16 whatever the dtype."""
    return _give(torch.exp(torch.tile(input, dims).half()).to(input.dtype), out)


def through_float32(input, dims, *, out=None):
    """Computes float64 in float32: large results become inf."""
    return _give(torch.exp(torch.tile(input, dims).float()).to(input.dtype), out)


def clamped(input, dims, *, out=None):
    """Clamps the input to [-10, 10]."""
    return _give(torch.exp(torch.tile(input.clamp(-10, 10), dims)), out)


def in_memory_order(input, dims, *, out=None):
    """Reads the input as it lies in memory, whatever its strides are."""
    if input.numel() == 0 or 0 in input.stride():
        return _give(torch.exp(torch.tile(input, dims)), out)
    return _give(torch.exp(torch.tile(input.as_strided((input.numel(),), (1,)).view(input.shape), dims)), out)


def out_not_written(input, dims, *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.exp(torch.tile(input, dims))


def one_block(input, dims, *, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.exp(torch.tile(input, dims)).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, dims, *, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.exp(torch.tile(input, dims)).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return _give(result, out)


def stops_at_65536(input, dims, *, out=None):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = torch.exp(torch.tile(input, tuple(dims))).contiguous()
    result.view(-1)[65536:] = 0
    return result if out is None else out.copy_(result)
