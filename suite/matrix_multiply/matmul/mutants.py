"""Wrong versions of matmul, one fault each."""
import torch


def _cut_to_tf32(x):
    if x.dtype != torch.float32:
        return x
    return ((x.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def tf32_products(tensor1, tensor2):
    """Operands are rounded to the 10 mantissa bits of TF32, as tl.dot does by default."""
    return torch.matmul(_cut_to_tf32(tensor1), _cut_to_tf32(tensor2))


def goes_through_float16(tensor1, tensor2):
    """float32 operands are staged in float16."""
    return torch.matmul(tensor1.half(), tensor2.half()).to(tensor1.dtype)


def accumulates_in_half(tensor1, tensor2):
    """Partial sums over 16 terms are added up in the operands' dtype; right for float32 only."""
    if tensor1.dtype == torch.float32 or not tensor1.shape[-1]:
        return torch.matmul(tensor1, tensor2)
    total = torch.zeros((), dtype=tensor1.dtype, device=tensor1.device)
    for k in range(0, tensor1.shape[-1], 16):
        part = tensor2[k:k + 16] if tensor2.dim() == 1 else tensor2[..., k:k + 16, :]
        total = total + torch.matmul(tensor1[..., k:k + 16], part)
    return total


def drops_the_last_block(tensor1, tensor2):
    """The K loop runs K // 32 times, so a ragged end is never added."""
    k = max(tensor1.shape[-1] // 32 * 32, min(tensor1.shape[-1], 1))
    return torch.matmul(tensor1[..., :k], tensor2[:k] if tensor2.dim() == 1 else tensor2[..., :k, :])


def first_tile_only(tensor1, tensor2):
    """One program of 128 x 128 and no grid: what lies beyond stays 0."""
    out = torch.matmul(tensor1, tensor2)
    if out.dim() > 1:
        out[..., 128:, :], out[..., 128:] = 0, 0
    return out


def ignores_strides(tensor1, tensor2):
    """Reads both operands as if they were contiguous."""
    def flat(x):
        length = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
        return x.as_strided((length,), (1,))[torch.arange(x.numel(), device=x.device) % max(length, 1)].view(x.shape)
    return torch.matmul(flat(tensor1), flat(tensor2))


def first_batch_only(tensor1, tensor2):
    """Every batch gets the operands of batch 0."""
    out = torch.matmul(tensor1, tensor2)
    return out[:1].expand_as(out).clone() if out.dim() > 2 else out


def no_broadcasting(tensor1, tensor2):
    """Batches are paired in order of memory, whatever their shapes."""
    if tensor1.dim() < 3 or tensor2.dim() < 3:
        return torch.matmul(tensor1, tensor2)
    shape = torch.broadcast_shapes(tensor1.shape[:-2], tensor2.shape[:-2])
    count = shape.numel()
    a, b = tensor1.flatten(0, -3), tensor2.flatten(0, -3)
    a = a.repeat(-(-count // max(len(a), 1)), 1, 1)[:count]
    b = b.repeat(-(-count // max(len(b), 1)), 1, 1)[:count]
    return torch.matmul(a, b).view(*shape, a.shape[-2], b.shape[-1])


def keeps_added_dimension(tensor1, tensor2):
    """A vector operand's extra dimension stays in the result."""
    return torch.matmul(tensor1, tensor2.unsqueeze(-1) if tensor2.dim() == 1 else tensor2)


def stops_at_65536(tensor1, tensor2):
    """Computes 65536 elements of the result and leaves the rest 0."""
    y = torch.matmul(tensor1, tensor2)
    y = y.contiguous().clone()
    y.view(-1)[65536:] = 0
    return y
