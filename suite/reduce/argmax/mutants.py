"""Plausible wrong implementations of argmax; each must be rejected."""
import torch


def last_of_ties(input_tensor, dim, keepdim=False):
    """Compares with >=: the last of equal maxima wins."""
    x = input_tensor.reshape(-1) if dim is None else input_tensor
    d = 0 if dim is None else dim
    index = x.shape[d] - 1 - torch.argmax(x.flip(d), dim=d, keepdim=keepdim)
    return index


def nan_ignored(input_tensor, dim, keepdim=False):
    """NaN never compares larger, so it is skipped."""
    x = input_tensor
    if x.dtype.is_floating_point:
        x = torch.where(x.isnan(), torch.full_like(x, -float("inf")), x)
    return torch.argmax(x, dim=dim, keepdim=keepdim)


def always_last_dim(input_tensor, dim, keepdim=False):
    """Reduces the last dimension whatever dim says."""
    return torch.argmax(input_tensor, dim=-1, keepdim=keepdim)


def keepdim_ignored(input_tensor, dim, keepdim=False):
    """Always drops the reduced dimension."""
    return torch.argmax(input_tensor, dim=dim)


def int32_result(input_tensor, dim, keepdim=False):
    """Returns 32-bit indices."""
    return torch.argmax(input_tensor, dim=dim, keepdim=keepdim).to(torch.int32)


def minimum(input_tensor, dim, keepdim=False):
    """Finds the minimum."""
    return torch.argmin(input_tensor, dim=dim, keepdim=keepdim)


def first_block_only(input_tensor, dim, keepdim=False):
    """Looks at the first 1024 elements of the dimension only."""
    x = input_tensor.reshape(-1) if dim is None else input_tensor
    d = 0 if dim is None else dim
    return torch.argmax(x.narrow(d, 0, min(1024, x.shape[d])), dim=d, keepdim=keepdim)


def padded_with_zero(input_tensor, dim, keepdim=False):
    """Starts from a maximum of 0 at index 0, which beats negative rows."""
    x = input_tensor.reshape(-1) if dim is None else input_tensor
    d = 0 if dim is None else dim
    index = torch.argmax(x, dim=d, keepdim=keepdim)
    largest = x.amax(d, keepdim=keepdim)
    return torch.where(largest < 0, torch.zeros_like(index), index)


def compared_in_float32(input_tensor, dim, keepdim=False):
    """Converts to float32 first: float64 and large integers tie."""
    return torch.argmax(input_tensor.float(), dim=dim, keepdim=keepdim)


def index_within_chunk(input_tensor, dim, keepdim=False):
    """The second stage forgets to add the chunk's start: indices are modulo 512."""
    return torch.argmax(input_tensor, dim=dim, keepdim=keepdim) % 512


def stops_at_65536(input_tensor, dim, keepdim=False):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = torch.argmax(input_tensor, dim=dim, keepdim=keepdim).contiguous()
    result.view(-1)[65536:] = 0
    return result


def bfloat16_for_float16(input_tensor, dim, keepdim=False):
    """Compares float16 as bfloat16."""
    if input_tensor.dtype == torch.float16:
        input_tensor = input_tensor.bfloat16().half()
    return torch.argmax(input_tensor, dim=dim, keepdim=keepdim)


def infinity_clamped(input_tensor, dim, keepdim=False):
    """Starts from, and compares below, the largest finite number."""
    if input_tensor.is_floating_point():
        input_tensor = input_tensor.nan_to_num(nan=float("nan"), posinf=0.0)
    return torch.argmax(input_tensor, dim=dim, keepdim=keepdim)
