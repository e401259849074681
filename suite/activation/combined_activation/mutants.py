"""Plausible wrong implementations of combined_activation; each must be rejected."""
import torch


def _product(input, weight1):
    """The product in float32 at least."""
    wide = torch.promote_types(input.dtype, torch.float32)
    return torch.matmul(input.to(wide), weight1.to(wide))


def _finish(y, weight2, bias, dtype, out):
    """What the reference does after the activations."""
    result = (y * weight2.to(y.dtype) + bias.to(y.dtype)).to(dtype)
    return result if out is None else out.copy_(result)


def _cut(x, bits):
    """float32 with that many bits of mantissa set to zero after rounding."""
    if x.dtype != torch.float32:
        return x
    half = 1 << (bits - 1)
    return ((x.contiguous().view(torch.int32) + half) & ~(2 * half - 1)).view(torch.float32)


def tf32(input, weight1, weight2, bias, *, out=None):
    """Rounds the operands to TF32."""
    y = torch.tanh(torch.sigmoid(_product(_cut(input, 13), _cut(weight1, 13))))
    return _finish(y, weight2, bias, input.dtype, out)


def bfloat16_operands(input, weight1, weight2, bias, *, out=None):
    """Rounds the operands to bfloat16."""
    y = torch.tanh(torch.sigmoid(_product(input.bfloat16(), weight1.bfloat16())))
    return _finish(y, weight2, bias, input.dtype, out)


def accumulates_in_half(input, weight1, weight2, bias, *, out=None):
    """Adds half precision products in half precision, 16 at a time."""
    if input.dtype == torch.float32:
        y = _product(input, weight1)
    else:
        y = torch.zeros((), dtype=input.dtype, device=input.device)
        for k in range(0, input.shape[-1], 16):
            y = y + torch.matmul(input[..., k:k + 16], weight1[k:k + 16])
        y = y.float()
    return _finish(torch.tanh(torch.sigmoid(y)), weight2, bias, input.dtype, out)


def sigmoid_missing(input, weight1, weight2, bias, *, out=None):
    """tanh of the product."""
    return _finish(torch.tanh(_product(input, weight1)), weight2, bias, input.dtype, out)


def tanh_missing(input, weight1, weight2, bias, *, out=None):
    """The sigmoid alone."""
    return _finish(torch.sigmoid(_product(input, weight1)), weight2, bias, input.dtype, out)


def activations_swapped(input, weight1, weight2, bias, *, out=None):
    """sigmoid(tanh(z)) instead of tanh(sigmoid(z))."""
    return _finish(torch.sigmoid(torch.tanh(_product(input, weight1))), weight2, bias, input.dtype, out)


def bias_inside(input, weight1, weight2, bias, *, out=None):
    """Adds the bias to the product, before the activations."""
    y = torch.tanh(torch.sigmoid(_product(input, weight1) + bias.float()))
    return _finish(y, weight2, torch.zeros_like(bias), input.dtype, out)


def weight2_inside(input, weight1, weight2, bias, *, out=None):
    """Scales before tanh instead of after it."""
    y = torch.tanh(torch.sigmoid(_product(input, weight1)) * weight2.float())
    return _finish(y, torch.ones_like(weight2), bias, input.dtype, out)


def bias_missing(input, weight1, weight2, bias, *, out=None):
    """Forgets the bias."""
    y = torch.tanh(torch.sigmoid(_product(input, weight1)))
    return _finish(y, weight2, torch.zeros_like(bias), input.dtype, out)


def sigmoid_overflows(input, weight1, weight2, bias, *, out=None):
    """exp(z) / (1 + exp(z)): inf / inf for large products."""
    e = torch.exp(_product(input, weight1))
    return _finish(torch.tanh(e / (1 + e)), weight2, bias, input.dtype, out)


def last_block_of_k_dropped(input, weight1, weight2, bias, *, out=None):
    """The loop runs k // 32 times: a ragged end is never added."""
    k = max(input.shape[-1] // 32 * 32, min(input.shape[-1], 1))
    y = torch.tanh(torch.sigmoid(_product(input[..., :k], weight1[:k])))
    return _finish(y, weight2, bias, input.dtype, out)


def first_batch_only(input, weight1, weight2, bias, *, out=None):
    """Every batch gets the product of batch 0."""
    z = _product(input, weight1)
    if z.dim() > 2:
        z = z[:1].expand_as(z)
    return _finish(torch.tanh(torch.sigmoid(z)), weight2, bias, input.dtype, out)


def broadcast_as_vectors(input, weight1, weight2, bias, *, out=None):
    """Takes the first row of weight2 and bias for all rows."""
    y = torch.tanh(torch.sigmoid(_product(input, weight1)))
    w, b = (t.expand(y.shape).reshape(-1, y.shape[-1])[:1].reshape(-1) for t in (weight2, bias))
    return _finish(y, w, b, input.dtype, out) if y.numel() else _finish(y, weight2, bias, input.dtype, out)


def rows_beyond_1024_dropped(input, weight1, weight2, bias, *, out=None):
    """A grid of at most 16 tiles of 64 rows: what lies beyond stays 0."""
    y = _finish(torch.tanh(torch.sigmoid(_product(input, weight1))), weight2, bias, input.dtype, None)
    y[..., 1024:, :] = 0
    return y if out is None else out.copy_(y)


def out_not_written(input, weight1, weight2, bias, *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _finish(torch.tanh(torch.sigmoid(_product(input, weight1))), weight2, bias, input.dtype, None)
