"""Plausible wrong implementations of the Hurwitz zeta function; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def riemann(input, other, out=None):
    """Ignores other: the Riemann zeta function."""
    return _give(torch.special.zeta(input, torch.ones_like(other)), out)


def swapped(input, other, out=None):
    """The two arguments in the other order."""
    return _give(torch.special.zeta(other, input), out)


def first_term_missing(input, other, out=None):
    """Starts the sum at k = 1."""
    return _give(torch.special.zeta(input, other + 1), out)


def hundred_terms(input, other, out=None):
    """The first hundred terms of the sum: nothing stands for the rest."""
    return _give(sum((other + k) ** -input for k in range(100)), out)


def integral_rest(input, other, out=None):
    """Ten terms and the integral alone."""
    return _give(sum((other + k) ** -input for k in range(10)) + (other + 10) ** (1 - input) / (input - 1), out)


def whole_exponents(input, other, out=None):
    """Truncates the exponent to a whole number."""
    return _give(torch.special.zeta(torch.trunc(input), other), out)


def poles_as_numbers(input, other, out=None):
    """A large number at the poles, 0 where it is not defined."""
    return _give(torch.nan_to_num(torch.special.zeta(input, other)), out)


def sum_below_one(input, other, out=None):
    """A number for exponents below 1, where the sum diverges."""
    return _give(torch.where(input < 1, torch.zeros_like(input + other), torch.special.zeta(input, other)), out)


def broadcast_by_position(input, other, out=None):
    """Repeats the smaller argument element by element, whatever the shapes are."""
    shape = torch.broadcast_shapes(input.shape, other.shape)
    count = shape.numel()
    input, other = (t.flatten().repeat_interleave(count // max(t.numel(), 1)).view(shape) for t in (input, other))
    return _give(torch.special.zeta(input, other), out)


def in_float32(input, other, out=None):
    """Computes float64 in float32."""
    return _give(torch.special.zeta(input.float(), other.float()).to(input.dtype), out)


def one_block(input, other, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.special.zeta(input, other).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, other, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.special.zeta(input, other).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(input, other, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    places = torch.arange(input.numel(), device=input.device) % max(length, 1)
    input = input.as_strided((length,), (1,))[places].view(input.shape)
    return _give(torch.special.zeta(input, other), out)


def out_not_written(input, other, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.special.zeta(input, other)


def out_written_as_contiguous(input, other, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.special.zeta(input, other)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out
