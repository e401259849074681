"""Wrong versions of attention_w8a8, one fault each."""
import torch


def _quantize(x, dims=-1, top=127, rounding=torch.round, guard=True):
    scale = x.abs().amax(dims, keepdim=True) / top
    return rounding(x / (torch.where(scale > 0, scale, 1) if guard else scale)).clamp(-top, top) * scale


def _attention(q, k, v, scale=None):
    logits = q @ k.transpose(1, 2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    return torch.softmax(logits, -1) @ v


def _tf32(x):
    return ((x.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def plain_float(query, key, value):
    """Float attention without quantization."""
    return _attention(query, key, value)


def half_precision(query, key, value):
    """float16 operands instead of int8."""
    return _attention(*[x.half().float() for x in (query, key, value)])


def tf32(query, key, value):
    """TF32 operands (ten bits behind the point) instead of int8."""
    return _attention(*[_tf32(x) for x in (query, key, value)])


def bfloat16(query, key, value):
    """bfloat16 operands instead of int8."""
    return _attention(*[x.bfloat16().float() for x in (query, key, value)])


def float8(query, key, value):
    """float8 (e4m3) operands with a scale per token instead of int8."""
    def rounded(x):
        scale = x.abs().amax(-1, keepdim=True) / 448
        scale = torch.where(scale > 0, scale, 1)
        return (x / scale).to(torch.float8_e4m3fn).to(x.dtype) * scale
    return _attention(rounded(query), rounded(key), rounded(value))


def only_query_and_key(query, key, value):
    """The value is not quantized."""
    return _attention(_quantize(query), _quantize(key), value)


def only_value(query, key, value):
    """Query and key are not quantized."""
    return _attention(query, key, _quantize(value))


def one_scale_per_tensor(query, key, value):
    """One scale for each whole tensor instead of one per token."""
    return _attention(*[_quantize(x, (0, 1, 2)) for x in (query, key, value)])


def scale_per_channel(query, key, value):
    """Scales run over the tokens of a channel instead of the channels of a token."""
    return _attention(*[_quantize(x, 1) for x in (query, key, value)])


def seven_bits(query, key, value):
    """Only 7 bits: integers in [-63, 63]."""
    return _attention(*[_quantize(x, top=63) for x in (query, key, value)])


def truncates(query, key, value):
    """Integers are truncated toward zero instead of rounded."""
    return _attention(*[_quantize(x, rounding=torch.trunc) for x in (query, key, value)])


def quantizes_the_probabilities(query, key, value):
    """The probabilities pass through int8 (scale 1 / 127) too."""
    q, k, v = _quantize(query), _quantize(key), _quantize(value)
    p = torch.softmax(q @ k.transpose(1, 2) * q.shape[-1] ** -0.5, -1)
    return torch.round(p * 127) / 127 @ v


def no_logit_scale(query, key, value):
    """Logits are not divided by sqrt(D)."""
    return _attention(_quantize(query), _quantize(key), _quantize(value), 1.0)


def no_maximum_subtracted(query, key, value):
    """The softmax exponentiates the logits as they are."""
    q, k, v = _quantize(query), _quantize(key), _quantize(value)
    e = torch.exp(q @ k.transpose(1, 2) * q.shape[-1] ** -0.5)
    return e / e.sum(-1, keepdim=True) @ v


def divides_by_zero(query, key, value):
    """No guard against tokens of zeros."""
    return _attention(*[_quantize(x, guard=False) for x in (query, key, value)])


def stops_at_65536(query, key, value):
    """Computes 65536 elements of the result and leaves the rest 0."""
    y = _attention(*[_quantize(x) for x in (query, key, value)])
    y = y.contiguous().clone()
    y.view(-1)[65536:] = 0
    return y
