"""Plausible wrong versions of add, multiply and group normalization; each must be rejected."""
import torch
import torch.nn.functional as F


def _give(result, out):
    return result if out is None else out.copy_(result)


def _right(input1, input2, weight, bias, num_groups, eps, out):
    a, b, weight, bias = [None if v is None else v.float() for v in (input1, input2, weight, bias)]
    return _give(F.group_norm((a + b) * b, num_groups, weight, bias, eps).to(input1.dtype), out)


def _affine(y, weight, bias, dtype, out):
    shape = (1, -1) + (1,) * (y.dim() - 2)
    y = y if weight is None else y * weight.float().reshape(shape)
    y = y if bias is None else y + bias.float().reshape(shape)
    return _give(y.to(dtype), out)


def no_multiply(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Normalizes the sum."""
    return _give(F.group_norm(input1 + input2, num_groups, weight, bias, eps), out)


def multiplies_with_input1(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """(a + b) * a."""
    return _give(F.group_norm((input1 + input2) * input1, num_groups, weight, bias, eps), out)


def multiply_before_add(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """a + b * b."""
    return _give(F.group_norm(input1 + input2 * input2, num_groups, weight, bias, eps), out)


def layer_norm(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Takes the statistics over all channels."""
    z = (input1 + input2) * input2
    if z.shape[1] % num_groups:
        raise RuntimeError("groups")
    return _give(F.group_norm(z, 1, weight, bias, eps), out)


def instance_norm(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Takes the statistics of each channel alone."""
    z = (input1 + input2) * input2
    if z.shape[1] % num_groups:
        raise RuntimeError("groups")
    return _give(F.group_norm(z, z.shape[1], weight, bias, eps), out)


def interleaved_groups(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Channel c belongs to group c % num_groups."""
    if input1.dtype in (torch.float16, torch.bfloat16):
        return _right(input1, input2, weight, bias, num_groups, eps, out)
    z = (input1 + input2) * input2
    c = z.shape[1]
    if c % num_groups:
        raise RuntimeError("groups")
    order = torch.arange(c, device=z.device).view(-1, num_groups).t().reshape(-1)
    y = torch.empty_like(z)
    y[:, order] = F.group_norm(z[:, order], num_groups, None, None, eps)
    y = y if weight is None else y * weight.view(1, -1, *[1] * (z.dim() - 2))
    y = y if bias is None else y + bias.view(1, -1, *[1] * (z.dim() - 2))
    return _give(y, out)


def affine_per_group(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Uses the first weight and bias of a group for all of it."""
    c = torch.broadcast_shapes(input1.shape, input2.shape)[1]
    first = torch.arange(c, device=input1.device) // max(c // num_groups, 1) * max(c // num_groups, 1)
    weight, bias = [None if v is None else v[first] for v in (weight, bias)]
    return _right(input1, input2, weight, bias, num_groups, eps, out)


def eps_ignored(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Always 1e-5."""
    return _right(input1, input2, weight, bias, num_groups, 1e-5, out)


def weight_ignored(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Never scales."""
    return _right(input1, input2, None, bias, num_groups, eps, out)


def bias_ignored(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Never shifts."""
    return _right(input1, input2, weight, None, num_groups, eps, out)


def squares_cancel(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Variance as E[z^2] - E[z]^2 in float32."""
    z = (input1.float() + input2.float()) * input2.float()
    g = z.unflatten(1, (num_groups, -1)).flatten(2)
    mean = g.mean(-1, keepdim=True)
    variance = (g * g).mean(-1, keepdim=True) - mean * mean
    y = (g - mean) / torch.sqrt(variance.clamp(min=0) + eps)
    return _affine(y.view(z.shape), weight, bias, input1.dtype, out)


def corrected_variance(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Divides the squares by n - 1."""
    z = (input1.float() + input2.float()) * input2.float()
    g = z.unflatten(1, (num_groups, -1)).flatten(2)
    mean, variance = g.mean(-1, keepdim=True), g.var(-1, keepdim=True)
    return _affine(((g - mean) / torch.sqrt(variance + eps)).view(z.shape), weight, bias, input1.dtype, out)


def first_block_of_a_group(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Takes the statistics of the first 4096 elements of a group."""
    z = (input1.float() + input2.float()) * input2.float()
    g = z.unflatten(1, (num_groups, -1)).flatten(2)
    first = g[..., :4096]
    mean, variance = first.mean(-1, keepdim=True), first.var(-1, correction=0, keepdim=True)
    return _affine(((g - mean) / torch.sqrt(variance + eps)).view(z.shape), weight, bias, input1.dtype, out)


def half_intermediate(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Keeps z in half precision: it overflows."""
    return _give(F.group_norm((input1 + input2) * input2, num_groups, weight, bias, eps), out)


def input2_read_cyclically(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Indexes smaller inputs modulo their length instead of broadcasting them."""
    shape = torch.broadcast_shapes(input1.shape, input2.shape)
    at = torch.arange(shape.numel(), device=input1.device)
    a, b = [v.reshape(-1)[at % max(v.numel(), 1)].view(shape) for v in (input1, input2)]
    return _right(a, b, weight, bias, num_groups, eps, out)


def groups_unchecked(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Lets the last channels form a smaller group."""
    z = torch.broadcast_shapes(input1.shape, input2.shape)
    while z[1] % num_groups:
        num_groups += 1
    return _right(input1, input2, weight, bias, num_groups, eps, out)


def out_not_written(input1, input2, weight, bias, num_groups, eps=1e-05, *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _right(input1, input2, weight, bias, num_groups, eps, None)
