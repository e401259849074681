"""Plausible wrong implementations of input * other_mul - alpha * other_sub; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def _exact(input, other_mul, other_sub, alpha):
    wide = torch.float32 if input.dtype in (torch.float16, torch.bfloat16) else input.dtype
    x, m, s = [v.to(wide) if isinstance(v, torch.Tensor) else v for v in (input, other_mul, other_sub)]
    return torch.sub(x * m, s, alpha=alpha).to(input.dtype)


def alpha_ignored(input, other_mul, other_sub, alpha=1, out=None):
    """Subtracts other_sub unscaled."""
    return _give(_exact(input, other_mul, other_sub, 1), out)


def alpha_on_product(input, other_mul, other_sub, alpha=1, out=None):
    """Scales the product instead of what is subtracted."""
    return _give(_exact(input * alpha, other_mul, other_sub, 1), out)


def added_instead(input, other_mul, other_sub, alpha=1, out=None):
    """Adds alpha * other_sub."""
    return _give(_exact(input, other_mul, other_sub, -alpha), out)


def sub_before_mul(input, other_mul, other_sub, alpha=1, out=None):
    """(input - alpha * other_sub) * other_mul."""
    return _give(torch.sub(input, other_sub, alpha=alpha) * other_mul, out)


def half_intermediate(input, other_mul, other_sub, alpha=1, out=None):
    """Rounds the product to half precision before the subtraction: it overflows."""
    return _give(torch.sub(torch.mul(input, other_mul), other_sub, alpha=alpha), out)


def one_block(input, other_mul, other_sub, alpha=1, out=None):
    """One program of 65536 elements and no grid: what lies beyond stays 0."""
    result = _exact(input, other_mul, other_sub, alpha).contiguous()
    result.view(-1)[65536:] = 0
    return _give(result, out)


def tail_dropped(input, other_mul, other_sub, alpha=1, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = _exact(input, other_mul, other_sub, alpha).contiguous()
    result.view(-1)[result.numel() // 256 * 256:] = 0
    return _give(result, out)


def operands_read_cyclically(input, other_mul, other_sub, alpha=1, out=None):
    """Indexes smaller operands modulo their length instead of broadcasting them."""
    operands = (input, other_mul, other_sub)
    shape = torch.broadcast_shapes(*[x.shape for x in operands if isinstance(x, torch.Tensor)])
    index = torch.arange(shape.numel(), device=input.device)
    def read(x):
        return x.reshape(-1)[index % max(x.numel(), 1)].view(shape) if isinstance(x, torch.Tensor) else x
    return _give(_exact(*map(read, operands), alpha), out)


def numbers_truncated(input, other_mul, other_sub, alpha=1, out=None):
    """Takes numbers as integers."""
    mul = other_mul if isinstance(other_mul, torch.Tensor) else int(other_mul)
    sub = other_sub if isinstance(other_sub, torch.Tensor) else int(other_sub)
    return _give(_exact(input, mul, sub, alpha), out)


def out_not_written(input, other_mul, other_sub, alpha=1, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _exact(input, other_mul, other_sub, alpha)
