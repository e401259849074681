"""Plausible wrong implementations of logspace; each must be rejected."""
import torch


def _make(start, end, steps, base, dtype, device, requires_grad):
    return torch.logspace(start, end, steps, base, dtype=dtype, device=device, requires_grad=requires_grad)


def linspace(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """The exponents instead of the powers."""
    return torch.linspace(start, end, steps, dtype=dtype, device=device, requires_grad=requires_grad)


def geometric_between(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """Takes start and end for the first and last element."""
    start, end = (torch.tensor(abs(v) + 1e-3).log10().item() for v in (start, end))
    return _make(start, end, steps, 10.0, dtype, device, requires_grad)


def base_ignored(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """Always powers of ten."""
    return _make(start, end, steps, 10.0, dtype, device, requires_grad)


def base_e(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """exp of the exponents: the base is forgotten."""
    return _make(start, end, steps, 2.718281828459045, dtype, device, requires_grad)


def end_excluded(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """Divides by steps instead of steps - 1: the last exponent is not reached."""
    last = start + (end - start) * (steps - 1) / steps if steps > 0 else end
    return _make(start, last, steps, base, dtype, device, requires_grad)


def end_for_one_step(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """With one step gives base^end."""
    return _make(end if steps == 1 else start, end, steps, base, dtype, device, requires_grad)


def ascending_only(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """Sorts start and end."""
    return _make(min(start, end), max(start, end), steps, base, dtype, device, requires_grad)


def whole_exponents(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """Takes start and end for integers."""
    return _make(int(start), int(end), steps, base, dtype, device, requires_grad)


def repeated_products(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """Multiplies by the ratio again and again in bfloat16."""
    values = _make(start, end, steps, base, dtype, device, False)
    return values.bfloat16().to(values.dtype).requires_grad_(requires_grad)


def dtype_ignored(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """The result is float32 whatever was asked for."""
    return _make(start, end, steps, base, torch.float32, device, requires_grad)


def double_through_float32(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None,
                           requires_grad=False):
    """Computes float64 results in float32."""
    values = _make(start, end, steps, base, torch.float32, device, False)
    return values.to(dtype or torch.float32).requires_grad_(requires_grad)


def negative_steps_are_none(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None,
                            requires_grad=False):
    """Gives an empty vector for a negative number of steps."""
    return _make(start, end, max(steps, 0), base, dtype, device, requires_grad)


def one_block(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    values = _make(start, end, steps, base, dtype, device, False)
    values[4096:] = 0
    return values.requires_grad_(requires_grad)


def tail_dropped(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """The grid is steps // 256: the ragged last block is never computed."""
    values = _make(start, end, steps, base, dtype, device, False)
    values[steps // 256 * 256:] = 0
    return values.requires_grad_(requires_grad)


def stops_at_65536(start, end, steps, base=10.0, dtype=None, layout=torch.strided, device=None, requires_grad=False):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = _make(start, end, steps, base, dtype, device, requires_grad).detach()
    result[65536:] = 0
    return result.requires_grad_(requires_grad)
