"""Plausible wrong versions of the block; each must be rejected."""
import torch
import torch.nn.functional as F


def _finish(kept, weight2, residual, eps, out):
    z = kept @ weight2 + residual
    result = F.layer_norm(z, z.shape[-1:], eps=eps)
    return result if out is None else out.copy_(result)


def dropout_ignored(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """Never drops anything."""
    return _finish(torch.softmax(input @ weight1, dim=-1), weight2, residual, eps, out)


def not_rescaled(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """Drops, but does not divide by 1 - p."""
    s = torch.softmax(input @ weight1, dim=-1)
    return _finish(s * (torch.rand_like(s) >= dropout_p), weight2, residual, eps, out)


def probability_of_keeping(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """Takes dropout_p for the probability of keeping an element."""
    s = torch.softmax(input @ weight1, dim=-1)
    return _finish(s * (torch.rand_like(s) < dropout_p) / max(dropout_p, 1e-6), weight2, residual, eps, out)


def dropout_before_softmax(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """Drops logits: they become 0, not -inf, and the softmax still sums to one."""
    return _finish(torch.softmax(F.dropout(input @ weight1, dropout_p), dim=-1), weight2, residual, eps, out)


def residual_after_norm(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """Normalizes first, then adds the residual."""
    z = F.dropout(torch.softmax(input @ weight1, dim=-1), dropout_p) @ weight2
    result = F.layer_norm(z, z.shape[-1:], eps=eps) + residual
    return result if out is None else out.copy_(result)


def softmax_over_rows(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """Softmax along the sequence instead of the last dimension."""
    return _finish(F.dropout(torch.softmax(input @ weight1, dim=-2), dropout_p), weight2, residual, eps, out)


def eps_ignored(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """Always 1e-5."""
    return _finish(F.dropout(torch.softmax(input @ weight1, dim=-1), dropout_p), weight2, residual, 1e-5, out)


def no_max_subtraction(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """Exponentiates the logits as they are."""
    e = torch.exp(input @ weight1)
    return _finish(F.dropout(e / e.sum(-1, keepdim=True), dropout_p), weight2, residual, eps, out)


def columns_cut(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """The grid of the second product is that of the first: columns beyond its tiles of 64 stay 0."""
    s = F.dropout(torch.softmax(input @ weight1, dim=-1), dropout_p)
    narrow = weight2.clone()
    narrow[:, (weight1.shape[1] + 63) // 64 * 64:] = 0
    return _finish(s, narrow, residual, eps, out)


def out_not_written(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return _finish(F.dropout(torch.softmax(input @ weight1, dim=-1), dropout_p), weight2, residual, eps, None)


def stops_at_65536(input, weight1, weight2, residual, dropout_p=0.1, eps=1e-05, *, out=None):
    """Computes 65536 elements of the result and leaves the rest 0."""
    kept = F.dropout(torch.softmax(input @ weight1, dim=-1), dropout_p)
    y = _finish(kept, weight2, residual, eps, None)
    y.view(-1)[65536:] = 0
    return y if out is None else out.copy_(y)
