"""Plausible wrong implementations of I0; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def scaled(input_tensor, out=None):
    """The exponentially scaled function i0e."""
    return _give(torch.special.i0e(input_tensor), out)


def first_order(input_tensor, out=None):
    """I1."""
    return _give(torch.special.i1(input_tensor), out)


def ordinary(input_tensor, out=None):
    """The ordinary Bessel function J0."""
    return _give(torch.special.bessel_j0(input_tensor.to(torch.float64)).to(input_tensor.dtype), out)


def short_series(input_tensor, out=None):
    """Five terms of the power series: right near 0 only."""
    z = input_tensor * input_tensor / 4
    return _give(1 + z + z**2 / 4 + z**3 / 36 + z**4 / 576, out)


def eleven_terms(input_tensor, out=None):
    """Eleven terms of the power series: right up to 5."""
    z = input_tensor.double() ** 2 / 4
    result = torch.ones_like(z)
    for k in range(10, 0, -1):
        result = 1 + result * z / (k * k)
    return _give(result.to(input_tensor.dtype), out)


def leading_term(input_tensor, out=None):
    """exp(x) / sqrt(2 pi x): right to a few percent, for large x."""
    return _give(torch.exp(input_tensor.abs()) / torch.sqrt(2 * torch.pi * input_tensor.abs()), out)


def odd(input_tensor, out=None):
    """Takes it for an odd function."""
    return _give(torch.special.i0(input_tensor) * torch.where(input_tensor < 0, -1, 1).to(input_tensor.dtype), out)


def clamped(input_tensor, out=None):
    """Clamps x to [-10, 10], as the published test does to its input."""
    return _give(torch.special.i0(input_tensor.clamp(-10, 10)), out)


def in_float32(input_tensor, out=None):
    """Computes float64 in float32."""
    return _give(torch.special.i0(input_tensor.float()).to(input_tensor.dtype), out)


def one_block(input_tensor, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.special.i0(input_tensor).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input_tensor, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.special.i0(input_tensor).contiguous()
    result.view(-1)[input_tensor.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(input_tensor, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input_tensor.untyped_storage().nbytes() // input_tensor.element_size() - input_tensor.storage_offset()
    places = torch.arange(input_tensor.numel(), device=input_tensor.device) % max(length, 1)
    input_tensor = input_tensor.as_strided((length,), (1,))[places].view(input_tensor.shape)
    return _give(torch.special.i0(input_tensor), out)


def out_not_written(input_tensor, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.special.i0(input_tensor)


def out_written_as_contiguous(input_tensor, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.special.i0(input_tensor)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out
