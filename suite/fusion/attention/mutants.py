"""Plausible wrong implementations of attention; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def _hidden(q, k, diagonal=1):
    return torch.ones((q.shape[-2], k.shape[-2]), dtype=torch.bool, device=q.device).triu(diagonal)


def _logits(q, k, causal, softmax_scale, diagonal=1):
    scale = q.shape[-1] ** -0.5 if softmax_scale is None else softmax_scale
    logits = scale * torch.matmul(q, k.transpose(-2, -1))
    return logits.masked_fill(_hidden(q, k, diagonal), float("-inf")) if causal else logits


def _attend(q, k, v, causal, softmax_scale, out, diagonal=1):
    return _give(torch.matmul(torch.softmax(_logits(q, k, causal, softmax_scale, diagonal), -1), v), out)


def causal_ignored(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """Every query sees every key."""
    return _attend(q, k, v, False, softmax_scale, out)


def own_key_hidden(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """j < i instead of j <= i; the first query, which sees nothing, gets zeros."""
    p = torch.softmax(_logits(q, k, causal, softmax_scale, 0), -1).nan_to_num(0.0)
    return _give(torch.matmul(p, v), out)


def one_key_too_many(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """j <= i + 1."""
    return _attend(q, k, v, causal, softmax_scale, out, 2)


def mask_from_the_end(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """The last query sees all keys, as with a cache of past tokens; others so many fewer, but at least one."""
    diagonal = max(k.shape[-2] - q.shape[-2] + 1, 1)
    return _attend(q, k, v, causal, softmax_scale, out, diagonal)


def scale_ignored(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """1 / sqrt(D) whatever is asked for."""
    return _attend(q, k, v, causal, None, out)


def not_scaled(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """Without a given scale the logits are left as they are."""
    return _attend(q, k, v, causal, 1.0 if softmax_scale is None else softmax_scale, out)


def zero_scale_is_none(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """`softmax_scale or default`: 0 counts as not given."""
    return _attend(q, k, v, causal, softmax_scale or None, out)


def scale_of_padded_heads(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """The default scale comes from D rounded up to a power of two."""
    padded = 1 << (q.shape[-1] - 1).bit_length()
    return _attend(q, k, v, causal, padded**-0.5 if softmax_scale is None else softmax_scale, out)


def no_max_subtraction(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """Exponentiates the logits as they are."""
    e = torch.exp(_logits(q, k, causal, softmax_scale))
    return _give(torch.matmul(e / e.sum(-1, keepdim=True), v), out)


def padding_counts(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """Keys are padded with zeros to a multiple of 16, and the padding takes part in the softmax."""
    pad = -k.shape[-2] % 16
    k, v = (torch.nn.functional.pad(x, (0, 0, 0, pad)) for x in (k, v))
    return _attend(q, k, v, causal, softmax_scale, out)


def first_block_of_keys(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """No loop over the keys: those beyond 128 are not seen."""
    return _attend(q, k[..., :128, :], v[..., :128, :], causal, softmax_scale, out)


def sums_not_rescaled(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """Blocks of 32 keys, each with its own maximum; what was summed before is not scaled down."""
    logits = _logits(q, k, causal, softmax_scale)
    total, acc = 0, 0
    for part, values in zip(logits.split(32, -1), v.split(32, -2)):
        e = torch.exp(part - part.amax(-1, keepdim=True)).nan_to_num(0.0)
        total, acc = total + e.sum(-1, keepdim=True), acc + torch.matmul(e, values)
    return _give((acc / total).to(q.dtype), out)


def softmax_over_queries(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """Normalises along the wrong dimension."""
    p = torch.softmax(_logits(q, k, causal, softmax_scale), -2).nan_to_num(0.0)
    return _give(torch.matmul(p, v), out)


def tf32_products(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """float32 operands are rounded to the 10 mantissa bits of TF32, as tl.dot does by default."""
    def cut(x):
        x = x.contiguous()
        return ((x.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32) if x.dtype == torch.float32 else x
    p = torch.softmax(_logits(cut(q), cut(k), causal, softmax_scale), -1)
    return _give(torch.matmul(cut(p), cut(v)), out)


def first_head_for_all(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """The head's stride of k and v is forgotten."""
    return _attend(q, k[:, :1].expand_as(k), v[:, :1].expand_as(v), causal, softmax_scale, out)


def out_not_written(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _attend(q, k, v, causal, softmax_scale, None)


def keys_cut_at_4096(q, k, v, causal=False, softmax_scale=None, *, out=None):
    """One block of at most 4096 keys: the rest is not seen."""
    q, k, v = q, k[..., :4096, :], v[..., :4096, :]
    scale = q.shape[-1] ** -0.5 if softmax_scale is None else softmax_scale
    logits = scale * torch.matmul(q.float(), k.float().transpose(-2, -1))
    if causal:
        hidden = torch.ones(logits.shape[-2:], dtype=torch.bool, device=q.device).triu(1)
        logits = logits.masked_fill(hidden, float("-inf"))
    result = torch.matmul(torch.softmax(logits, -1), v.float()).to(q.dtype)
    return result if out is None else out.copy_(result)
