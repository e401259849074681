"""Matrix-vector product, log-softmax, dropout: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_mv_logsoftmax_dropout(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """dropout(log_softmax(mv(input, vec)), p)."""
    s = F.log_softmax(torch.mv(input, vec), dim=dim)
    result = F.dropout(s, p=p, training=training, inplace=inplace)
    return result if out is None else out.copy_(result)


def survivors(input, vec, p=0.5, training=True, inplace=False, dim=0, *, out=None):
    """What an element that dropout keeps becomes (with p = 1 none is kept)."""
    s = F.log_softmax(torch.mv(input, vec), dim=dim)
    if training and p == 1:
        return torch.zeros_like(s)
    return s / (1 - p) if training else s
