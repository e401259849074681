"""Plausible wrong implementations of sigmoid(input @ vec) - alpha * other; each must be rejected."""
import torch


def alpha_ignored(input, vec, other, alpha=1, *, out=None):
    """Subtracts other unscaled."""
    result = torch.sigmoid(torch.mv(input, vec)) - other
    return result if out is None else out.copy_(result)


def sub_before_sigmoid(input, vec, other, alpha=1, *, out=None):
    """Applies the sigmoid to the difference."""
    result = torch.sigmoid(torch.sub(torch.mv(input, vec), other, alpha=alpha))
    return result if out is None else out.copy_(result)


def added_instead(input, vec, other, alpha=1, *, out=None):
    """Adds alpha * other."""
    result = torch.sigmoid(torch.mv(input, vec)) + alpha * other
    return result if out is None else out.copy_(result)


def first_block_of_columns(input, vec, other, alpha=1, *, out=None):
    """One block of 1024 columns and no loop."""
    result = torch.sub(torch.sigmoid(torch.mv(input[:, :1024], vec[:1024])), other, alpha=alpha)
    return result if out is None else out.copy_(result)


def sigmoid_overflow(input, vec, other, alpha=1, *, out=None):
    """Sigmoid as e^z / (1 + e^z): inf / inf for large z."""
    e = torch.exp(torch.mv(input, vec))
    result = torch.sub(e / (1 + e), other, alpha=alpha)
    return result if out is None else out.copy_(result)


def tf32_product(input, vec, other, alpha=1, *, out=None):
    """Rounds the float32 operands to TF32."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    result = torch.sub(torch.sigmoid(torch.mv(rounded(input), rounded(vec))), other, alpha=alpha)
    return result if out is None else out.copy_(result)


def reads_rows_contiguously(input, vec, other, alpha=1, *, out=None):
    """Takes the matrix as if its rows lay one after the other."""
    length = input.untyped_storage().nbytes() // input.element_size() - input.storage_offset()
    flat = input.as_strided((length,), (1,))
    matrix = flat[torch.arange(input.numel(), device=input.device) % max(length, 1)].view(input.shape)
    result = torch.sub(torch.sigmoid(torch.mv(matrix, vec)), other, alpha=alpha)
    return result if out is None else out.copy_(result)


def out_not_written(input, vec, other, alpha=1, *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.sub(torch.sigmoid(torch.mv(input, vec)), other, alpha=alpha)


def reads_65536(input, vec, other, alpha=1, *, out=None):
    """Reads 65536 elements of input and takes the rest for 0."""
    x = input.contiguous().clone()
    x.view(-1)[65536:] = 0
    result = torch.sub(torch.sigmoid(torch.mv(x, vec)), other, alpha=alpha)
    return result if out is None else out.copy_(result)
