"""Plausible wrong versions of linear, ReLU, layer normalization; each must be rejected."""
import torch
import torch.nn.functional as F


def _shape(z, normalized_shape):
    if normalized_shape is None:
        return (z.shape[-1],)
    return (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)


def no_relu(input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True):
    """Normalizes the linear output."""
    z = F.linear(input, weight, bias)
    return F.layer_norm(z, _shape(z, normalized_shape), eps=eps)


def relu_last(input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True):
    """ReLU after the normalization."""
    z = F.linear(input, weight, bias)
    return F.relu(F.layer_norm(z, _shape(z, normalized_shape), eps=eps))


def bias_ignored(input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True):
    """Never adds the bias."""
    z = F.relu(F.linear(input, weight))
    return F.layer_norm(z, _shape(z, normalized_shape), eps=eps)


def eps_ignored(input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True):
    """Always 1e-5."""
    z = F.relu(F.linear(input, weight, bias))
    return F.layer_norm(z, _shape(z, normalized_shape))


def eps_outside_the_root(input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True):
    """Divides by sqrt(variance) + eps."""
    z = F.relu(F.linear(input, weight, bias))
    dims = tuple(range(-len(_shape(z, normalized_shape)), 0))
    return (z - z.mean(dims, keepdim=True)) / (z.var(dims, correction=0, keepdim=True).sqrt() + eps)


def corrected_variance(input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True):
    """Divides the squares by n - 1."""
    z = F.relu(F.linear(input, weight, bias))
    dims = tuple(range(-len(_shape(z, normalized_shape)), 0))
    return (z - z.mean(dims, keepdim=True)) / torch.sqrt(z.var(dims, keepdim=True) + eps)


def squares_cancel(input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True):
    """Variance as E[z^2] - E[z]^2 in float32."""
    z = F.relu(F.linear(input, weight, bias))
    dims = tuple(range(-len(_shape(z, normalized_shape)), 0))
    mean = z.mean(dims, keepdim=True)
    variance = (z * z).mean(dims, keepdim=True) - mean * mean
    return (z - mean) / torch.sqrt(variance.clamp(min=0) + eps)


def padding_counts(input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True):
    """Mean and variance over the power-of-two block, its zeros included."""
    z = F.relu(F.linear(input, weight, bias))
    n = z.shape[-1]
    padded = F.pad(z, (0, (1 << (n - 1).bit_length()) - n))
    return F.layer_norm(padded, padded.shape[-1:], eps=eps)[..., :n].contiguous()


def tf32_operands(input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    z = F.relu(F.linear(rounded(input), rounded(weight), bias))
    return F.layer_norm(z, _shape(z, normalized_shape), eps=eps)


def stops_at_65536(input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True):
    """Computes 65536 elements of the result and leaves the rest 0."""
    y = F.relu(F.linear(input, weight, bias))
    y = F.layer_norm(y, _shape(y, normalized_shape), eps=eps)
    y = y.contiguous().clone()
    y.view(-1)[65536:] = 0
    return y


def nan_dropped(input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True):
    """maximum(x, 0) as the hardware takes it: a NaN becomes 0."""
    z = F.linear(input, weight, bias)
    z = torch.where(z > 0, z, 0)
    return F.layer_norm(z, _shape(z, normalized_shape), eps=eps)


def row_cut_at_4096(input, weight, bias=None, normalized_shape=None, eps=1e-05, elementwise_affine=True):
    """One block of at most 4096 elements a row: the rest does not enter the statistics."""
    z = F.relu(F.linear(input, weight, bias))
    shape = _shape(z, normalized_shape)
    if len(shape) > 1:
        return F.layer_norm(z, shape, eps=eps)
    first = z[..., :4096].float()
    var = first.var(-1, correction=0, keepdim=True)
    return ((z.float() - first.mean(-1, keepdim=True)) / torch.sqrt(var + eps)).to(z.dtype)
