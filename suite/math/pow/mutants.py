"""Plausible wrong implementations of a power; each must be rejected."""
import torch


def _give(result, out):
    """The result, or out filled with it."""
    return result if out is None else out.copy_(result)


def always_square(input_tensor, exponent, out=None):
    """Multiplies the base by itself whatever the exponent is."""
    return _give((input_tensor * input_tensor).expand_as(torch.pow(input_tensor, exponent)), out)


def swapped(input_tensor, exponent, out=None):
    """exponent ** input_tensor."""
    result = torch.pow(input_tensor, exponent)
    return _give(torch.pow(torch.as_tensor(exponent).double(), input_tensor.double()).to(result.dtype), out)


def exp_of_log(input_tensor, exponent, out=None):
    """exp(y log x): NaN for every negative base."""
    result = torch.pow(input_tensor, exponent)
    if not result.is_floating_point():
        return _give(result, out)
    return _give(torch.exp(torch.log(input_tensor) * exponent).to(result.dtype), out)


def power_of_magnitude(input_tensor, exponent, out=None):
    """Takes the power of |x|: the sign of odd powers is lost, and a fraction gives a number."""
    return _give(torch.pow(input_tensor.abs() if input_tensor.dtype != torch.uint8 else input_tensor, exponent), out)


def sign_of_base_kept(input_tensor, exponent, out=None):
    """Gives every power the sign of its base."""
    result = torch.pow(input_tensor.abs(), exponent)
    return _give(torch.where(input_tensor < 0, -result, result), out)


def exponent_truncated(input_tensor, exponent, out=None):
    """Takes the exponent for an integer."""
    result = torch.pow(input_tensor, exponent)
    if isinstance(exponent, torch.Tensor):
        exponent = torch.trunc(exponent) if exponent.is_floating_point() else exponent
    else:
        exponent = int(exponent)
    return _give(torch.pow(input_tensor, exponent).to(result.dtype), out)


def exponent_magnitude(input_tensor, exponent, out=None):
    """Multiplies |y| times: negative exponents count as positive ones."""
    if not isinstance(exponent, torch.Tensor) or exponent.dtype != torch.uint8:
        exponent = abs(exponent)
    return _give(torch.pow(input_tensor, exponent), out)


def first_exponent_for_all(input_tensor, exponent, out=None):
    """Loads one exponent and takes it for a scalar."""
    if isinstance(exponent, torch.Tensor) and exponent.numel() > 0:
        exponent = exponent.reshape(-1)[:1].view((1,) * exponent.dim())
    return _give(torch.pow(input_tensor, exponent), out)


def nan_wins(input_tensor, exponent, out=None):
    """NaN wherever an operand is NaN: NaN^0 and 1^NaN are 1."""
    result = torch.pow(input_tensor, exponent)
    if not result.is_floating_point():
        return _give(result, out)
    return _give(result + 0 * torch.where(torch.isnan(input_tensor + exponent), torch.nan, 0.0).to(result.dtype), out)


def in_memory_order(input_tensor, exponent, out=None):
    """Reads the operands as they lie in memory, whatever their strides are."""
    x, y = input_tensor, exponent
    if not isinstance(y, torch.Tensor) or x.shape != y.shape or 0 in x.stride() + y.stride():
        return _give(torch.pow(x, y), out)
    x, y = (t.as_strided((t.numel(),), (1,)).view(t.shape) for t in (x, y))
    return _give(torch.pow(x, y), out)


def integers_through_float32(input_tensor, exponent, out=None):
    """Computes powers of integers in float32: large ones lose digits and do not wrap."""
    result = torch.pow(input_tensor, exponent)
    if result.is_floating_point():
        return _give(result, out)
    exponent = exponent.float() if isinstance(exponent, torch.Tensor) else float(exponent)
    return _give(torch.pow(input_tensor.float(), exponent).to(result.dtype), out)


def coarse_logarithm(input_tensor, exponent, out=None):
    """2^(y log2 x) with a logarithm rounded to bfloat16."""
    result = torch.pow(input_tensor, exponent)
    if not result.is_floating_point():
        return _give(result, out)
    log = torch.log2(input_tensor.abs()).bfloat16().to(result.dtype)
    coarse = result.sign() * torch.exp2(log * exponent)
    return _give(torch.where(torch.isfinite(log) & torch.isfinite(result), coarse, result).to(result.dtype), out)


def double_through_float32(input_tensor, exponent, out=None):
    """Computes float64 powers in float32: large ones become inf."""
    result = torch.pow(input_tensor, exponent)
    if result.dtype != torch.float64 or not isinstance(exponent, torch.Tensor):
        return _give(result, out)
    return _give(torch.pow(input_tensor.float(), exponent.float()).to(result.dtype), out)


def out_not_written(input_tensor, exponent, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.pow(input_tensor, exponent)


def one_block(input_tensor, exponent, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.pow(input_tensor, exponent).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input_tensor, exponent, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.pow(input_tensor, exponent).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return _give(result, out)


def out_in_float32_only(input_tensor, exponent, out=None):
    """Half precision and float64 take a way of their own, which forgets out."""
    y = torch.pow(input_tensor, exponent)
    return y if out is None or input_tensor.dtype != torch.float32 else out.copy_(y)
