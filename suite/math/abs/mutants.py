"""Plausible wrong implementations of the absolute value; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def identity(input_tensor, out=None):
    """Copies the input: right for the non-negative numbers of the published timing."""
    return _give(input_tensor.clone(), out)


def relu(input_tensor, out=None):
    """Clamps negative elements to 0 instead of negating them."""
    return _give(input_tensor.clamp(min=0), out)


def negated(input_tensor, out=None):
    """Negates every element."""
    return _give(-input_tensor, out)


def squared_root(input_tensor, out=None):
    """sqrt(x * x): overflows, underflows and rounds."""
    return _give(torch.sqrt(input_tensor.double() ** 2).to(torch.float32).to(input_tensor.dtype), out)


def through_float32(input_tensor, out=None):
    """Converts to float32 on the way: integers and float64 lose digits."""
    return _give(torch.abs(input_tensor.to(torch.float32)).to(input_tensor.dtype), out)


def nan_to_zero(input_tensor, out=None):
    """where(x > 0, x, where(x < 0, -x, 0)): NaN becomes 0."""
    zero = torch.zeros_like(input_tensor)
    return _give(torch.where(input_tensor > 0, input_tensor, torch.where(input_tensor < 0, -input_tensor, zero)), out)


def one_block(input_tensor, out=None):
    """One program of 4096 elements and no grid: what lies beyond stays 0."""
    result = torch.abs(input_tensor).contiguous()
    result.view(-1)[4096:] = 0
    return _give(result, out)


def tail_dropped(input_tensor, out=None):
    """The grid is numel // 256: the ragged last block is never computed."""
    result = torch.abs(input_tensor).contiguous()
    result.view(-1)[input_tensor.numel() // 256 * 256:] = 0
    return _give(result, out)


def reads_as_contiguous(input_tensor, out=None):
    """Ignores the strides: takes the storage as it lies."""
    length = input_tensor.untyped_storage().nbytes() // input_tensor.element_size() - input_tensor.storage_offset()
    places = torch.arange(input_tensor.numel(), device=input_tensor.device) % max(length, 1)
    input_tensor = input_tensor.as_strided((length,), (1,))[places].view(input_tensor.shape)
    return _give(torch.abs(input_tensor), out)


def out_not_written(input_tensor, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.abs(input_tensor)


def out_written_as_contiguous(input_tensor, out=None):
    """Writes the result into out in row-major order, whatever out's strides are."""
    result = torch.abs(input_tensor)
    if out is None:
        return result
    out.as_strided((out.numel(),), (1,)).copy_(result.reshape(-1))
    return out


def out_in_float32_only(input_tensor, out=None):
    """Half precision and float64 take a way of their own, which forgets out."""
    y = torch.abs(input_tensor)
    return y if out is None or input_tensor.dtype != torch.float32 else out.copy_(y)
