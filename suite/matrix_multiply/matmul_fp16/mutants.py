"""Wrong versions of matmul_fp16, one fault each."""
import torch


def accumulates_in_half(input, other):
    """Partial sums over 16 terms are added up in float16."""
    total = torch.zeros((), dtype=torch.float16, device=input.device)
    row = 0 if other.dim() == 1 else -2
    for k in range(0, input.shape[-1], 16):
        part = other[k:k + 16] if row == 0 else other[..., k:k + 16, :]
        total = total + torch.matmul(input[..., k:k + 16], part)
    return total if input.shape[-1] else torch.matmul(input, other)


def drops_the_last_block(input, other):
    """The K loop runs K // 64 times, so a ragged end is never added."""
    k = max(input.shape[-1] // 64 * 64, min(input.shape[-1], 1))
    return torch.matmul(input[..., :k], other[:k] if other.dim() == 1 else other[..., :k, :])


def ignores_strides(input, other):
    """Reads both operands as if they were contiguous."""
    def flat(x):
        span = torch.as_strided(x, (min(x.numel(), x.untyped_storage().nbytes() // 2 - x.storage_offset()),), (1,))
        return span.repeat(-(-x.numel() // max(span.numel(), 1)))[:x.numel()].view(x.shape)
    return torch.matmul(flat(input), flat(other))


def first_batch_only(input, other):
    """Every batch gets the operands of batch 0."""
    out = torch.matmul(input, other)
    return out[:1].expand_as(out).clone() if out.dim() > 2 else out


def rounds_to_bfloat16(input, other):
    """Operands are rounded to bfloat16 before the product."""
    return torch.matmul(input.bfloat16().half(), other.bfloat16().half())


def keeps_added_dimension(input, other):
    """A vector operand's extra dimension stays in the result."""
    return torch.matmul(input, other.unsqueeze(-1) if other.dim() == 1 else other)


def stops_at_65536(input, other):
    """Computes 65536 elements of the result and leaves the rest 0."""
    y = torch.matmul(input, other)
    y = y.contiguous().clone()
    y.view(-1)[65536:] = 0
    return y
