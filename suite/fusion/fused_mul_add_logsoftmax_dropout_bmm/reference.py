"""Multiply, add, log-softmax, dropout, batched matrix product: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_mul_add_logsoftmax_dropout_bmm(
    input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None
):
    """dropout(log_softmax(input1 * input2 + other), p) @ mat2."""
    s = F.log_softmax(input1 * input2 + other, dim=dim)
    result = torch.bmm(F.dropout(s, p=p, training=training, inplace=inplace), mat2)
    return result if out is None else out.copy_(result)


def survivors(
    input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None
):
    """With a diagonal mat2, what a result becomes whose only term is kept."""
    s = F.log_softmax(input1 * input2 + other, dim=dim)
    if training and p == 1:
        return torch.bmm(torch.zeros_like(s), mat2)
    return torch.bmm(s / (1 - p) if training else s, mat2)


def magnitude(
    input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None
):
    """What two random masks may differ by: 12 standard deviations of one result, which are 8.5 of a difference.

    Term k contributes s_k mat2[k] with variance p / (1 - p) (s_k mat2[k])^2, independently of the others. With the
    thousands of terms of the cases that ask, Bernstein's inequality gives a result beyond it less than 1e-12. The judge
    multiplies what is returned by 16 eps of float32. Nothing is random with p = 0 or 1.
    """
    s = F.log_softmax(input1 * input2 + other, dim=dim)
    if not training or p in (0, 1):
        return torch.bmm(torch.zeros_like(s), mat2)
    deviation = torch.sqrt(p / (1 - p) * torch.bmm(s * s, mat2 * mat2))
    return 12 * deviation / (16 * 2.0**-23)
