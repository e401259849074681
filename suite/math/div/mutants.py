"""Plausible wrong implementations of a quotient; each must be rejected."""
import torch


def _give(result, out):
    """The result, or out filled with it."""
    return result if out is None else out.copy_(result)


def product(input, other, rounding_mode=None, out=None):
    """The wrong operation."""
    return _give(torch.mul(input, other), out)


def in_memory_order(input, other, rounding_mode=None, out=None):
    """Reads the operands as they lie in memory, whatever their strides are."""
    if not isinstance(other, torch.Tensor) or input.shape != other.shape or 0 in input.stride() + other.stride():
        return _give(torch.div(input, other, rounding_mode=rounding_mode), out)
    x, y = (t.as_strided((t.numel(),), (1,)).view(t.shape) for t in (input, other))
    return _give(torch.div(x, y, rounding_mode=rounding_mode), out)


def broadcast_from_the_left(input, other, rounding_mode=None, out=None):
    """Lines the dimensions of other up with the first ones of input where that is possible."""
    if isinstance(other, torch.Tensor) and other.dim() < input.dim() and other.numel() > 1:
        left = other.reshape(other.shape + (1,) * (input.dim() - other.dim()))
        if all(a == b or b == 1 for a, b in zip(input.shape, left.shape)):
            other = left
    return _give(torch.div(input, other, rounding_mode=rounding_mode), out)


def other_repeats(input, other, rounding_mode=None, out=None):
    """Takes other's elements by the flat index modulo its size: right for rows only."""
    if not isinstance(other, torch.Tensor) or other.numel() == 0:
        return _give(torch.div(input, other, rounding_mode=rounding_mode), out)
    shape = torch.broadcast_shapes(input.shape, other.shape)
    x = input.expand(shape)
    index = torch.arange(x.numel(), device=x.device) % other.numel()
    return _give(torch.div(x, other.reshape(-1)[index].view(shape), rounding_mode=rounding_mode), out)


def first_number_for_all(input, other, rounding_mode=None, out=None):
    """Loads one element of other and takes it for a scalar."""
    if isinstance(other, torch.Tensor) and other.numel() > 0:
        other = other.reshape(-1)[:1].view((1,) * other.dim())
    return _give(torch.div(input, other, rounding_mode=rounding_mode), out)


def rounding_ignored(input, other, rounding_mode=None, out=None):
    """Divides without rounding whatever rounding_mode says."""
    result = torch.div(input, other, rounding_mode=rounding_mode)
    return _give(torch.div(input, other).to(result.dtype), out)


def trunc_is_floor(input, other, rounding_mode=None, out=None):
    """Rounds down where it should cut: the same above zero."""
    mode = "floor" if rounding_mode == "trunc" else rounding_mode
    return _give(torch.div(input, other, rounding_mode=mode), out)


def floor_is_trunc(input, other, rounding_mode=None, out=None):
    """Cuts where it should round down: integer division of C."""
    mode = "trunc" if rounding_mode == "floor" else rounding_mode
    return _give(torch.div(input, other, rounding_mode=mode), out)


def trunc_of_number_is_floor(input, other, rounding_mode=None, out=None):
    """Rounds down instead of cutting where a floating tensor is divided by a number."""
    if rounding_mode == "trunc" and not isinstance(other, torch.Tensor) and input.is_floating_point():
        rounding_mode = "floor"
    return _give(torch.div(input, other, rounding_mode=rounding_mode), out)


def trunc_of_double_is_floor(input, other, rounding_mode=None, out=None):
    """Rounds float64 quotients down instead of cutting them."""
    if rounding_mode == "trunc" and input.dtype == torch.float64:
        rounding_mode = "floor"
    return _give(torch.div(input, other, rounding_mode=rounding_mode), out)


def rounds_to_nearest(input, other, rounding_mode=None, out=None):
    """Both modes round to the nearest whole number."""
    result = torch.div(input, other, rounding_mode=rounding_mode)
    return _give(torch.round(torch.div(input, other)).to(result.dtype) if rounding_mode else result, out)


def floor_below_whole_numbers(input, other, rounding_mode=None, out=None):
    """Multiplies by a reciprocal that is a little too small: a quotient that is a whole number is missed."""
    if rounding_mode is None or not isinstance(other, torch.Tensor) or not input.is_floating_point():
        return _give(torch.div(input, other, rounding_mode=rounding_mode), out)
    q = input * (1 / other * (1 - 2e-7))
    return _give(torch.floor(q) if rounding_mode == "floor" else torch.trunc(q), out)


def swapped(input, other, rounding_mode=None, out=None):
    """other / input."""
    result = torch.div(input, other, rounding_mode=rounding_mode)
    return _give(torch.reciprocal(torch.div(input, other)).to(result.dtype), out)


def integers_through_float32(input, other, rounding_mode=None, out=None):
    """Rounds integer quotients in float32: large ones are off."""
    result = torch.div(input, other, rounding_mode=rounding_mode)
    if result.is_floating_point():
        return _give(result, out)
    other = other.float() if isinstance(other, torch.Tensor) else float(other)
    return _give(torch.div(input.float(), other, rounding_mode=rounding_mode).to(result.dtype), out)


def integers_stay_integers(input, other, rounding_mode=None, out=None):
    """Without rounding, integer operands still give an integer."""
    result = torch.div(input, other, rounding_mode=rounding_mode)
    if rounding_mode is None and torch.result_type(input, other) == torch.int32:
        result = result.to(torch.int32)
    return _give(result, out)


def eps_in_the_divisor(input, other, rounding_mode=None, out=None):
    """Adds 1e-6 to the divisor against division by zero: there should be an infinity."""
    other = other + 1e-6 if torch.result_type(input, other).is_floating_point else other
    return _give(torch.div(input, other, rounding_mode=rounding_mode), out)


def out_not_written(input, other, rounding_mode=None, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.div(input, other, rounding_mode=rounding_mode)


def one_block(input, other, rounding_mode=None, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.div(input, other, rounding_mode=rounding_mode).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, other, rounding_mode=None, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.div(input, other, rounding_mode=rounding_mode).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return _give(result, out)
