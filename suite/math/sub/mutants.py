"""Plausible wrong implementations of input - alpha * other; each must be rejected."""
import torch


def _give(result, out):
    """The result, or out filled with it."""
    return result if out is None else out.copy_(result)


def alpha_ignored(input, other, *, alpha=1, out=None):
    """Subtracts other unscaled."""
    return _give(torch.sub(input, other), out)


def alpha_on_input(input, other, *, alpha=1, out=None):
    """Scales the wrong operand."""
    return _give(torch.mul(input, alpha).sub(other), out)


def alpha_truncated(input, other, *, alpha=1, out=None):
    """Takes alpha for an integer."""
    return _give(torch.sub(input, other, alpha=int(alpha)), out)


def alpha_in_single_precision(input, other, *, alpha=1, out=None):
    """alpha reaches the kernel as float32: float64 tensors lose half of their digits."""
    alpha = float(torch.tensor(alpha, dtype=torch.float32)) if isinstance(alpha, float) else alpha
    return _give(torch.sub(input, other, alpha=alpha), out)


def addition(input, other, *, alpha=1, out=None):
    """The wrong sign."""
    return _give(torch.add(input, other, alpha=alpha), out)


def in_memory_order(input, other, *, alpha=1, out=None):
    """Reads the operands as they lie in memory, whatever their strides are."""
    if not isinstance(other, torch.Tensor) or input.shape != other.shape or 0 in input.stride() + other.stride():
        return _give(torch.sub(input, other, alpha=alpha), out)
    x, y = (t.as_strided((t.numel(),), (1,)).view(t.shape) for t in (input, other))
    return _give(torch.sub(x, y, alpha=alpha), out)


def broadcast_from_the_left(input, other, *, alpha=1, out=None):
    """Lines the dimensions of other up with the first ones of input where that is possible."""
    if isinstance(other, torch.Tensor) and other.dim() < input.dim() and other.numel() > 1:
        left = other.reshape(other.shape + (1,) * (input.dim() - other.dim()))
        if all(a == b or b == 1 for a, b in zip(input.shape, left.shape)):
            other = left
    return _give(torch.sub(input, other, alpha=alpha), out)


def shape_of_input(input, other, *, alpha=1, out=None):
    """The result has input's shape, also where other is larger: only its first part is used."""
    result = torch.sub(input, other, alpha=alpha)
    return _give(result.reshape(-1)[:input.numel()].reshape(input.shape), out if input.shape == result.shape else None)


def through_float32(input, other, *, alpha=1, out=None):
    """Computes everything in float32: large integers and float64 lose digits."""
    result = torch.sub(input, other, alpha=alpha)
    other = other.float() if isinstance(other, torch.Tensor) else other
    return _give(torch.sub(input.float(), other, alpha=alpha).to(result.dtype), out)


def dtype_of_input(input, other, *, alpha=1, out=None):
    """No promotion: the result has input's dtype."""
    return _give(torch.sub(input, other, alpha=alpha).to(input.dtype), out)


def saturates(input, other, *, alpha=1, out=None):
    """Clamps int16 differences to the range instead of wrapping around."""
    result = torch.sub(input, other, alpha=alpha)
    if result.dtype != torch.int16:
        return _give(result, out)
    return _give(torch.sub(input.int(), other.int(), alpha=alpha).clamp(-32768, 32767).to(torch.int16), out)


def product_rounded_to_half(input, other, *, alpha=1, out=None):
    """alpha * other is rounded to float16 before it is subtracted."""
    result = torch.sub(input, other, alpha=alpha)
    if result.dtype != torch.float16 or not isinstance(other, torch.Tensor):
        return _give(result, out)
    return _give(input - (other * alpha).half(), out)


def other_minus_input(input, other, *, alpha=1, out=None):
    """Swaps the operands."""
    return _give(-torch.sub(input, other, alpha=alpha), out)


def out_not_written(input, other, *, alpha=1, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.sub(input, other, alpha=alpha)


def one_block(input, other, *, alpha=1, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.sub(input, other, alpha=alpha).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input, other, *, alpha=1, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.sub(input, other, alpha=alpha).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return _give(result, out)


def out_in_float32_only(input, other, *, alpha=1, out=None):
    """Half precision and float64 take a way of their own, which forgets out."""
    y = torch.sub(input, other, alpha=alpha)
    return y if out is None or input.dtype != torch.float32 else out.copy_(y)
