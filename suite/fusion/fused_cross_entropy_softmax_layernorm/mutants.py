"""Plausible wrong versions of cross entropy and layer norm of a softmax; each must be rejected."""
import torch
import torch.nn.functional as F


def _shape(normalized_shape):
    return (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)


def _loss(x, targets, weight, ignore_index, reduction, label_smoothing):
    return F.cross_entropy(
        x, targets, weight=weight, ignore_index=ignore_index, reduction=reduction, label_smoothing=label_smoothing
    )


def _norm(p, normalized_shape, eps, out):
    y = F.layer_norm(p, _shape(normalized_shape), eps=eps)
    return y if out is None else out.copy_(y)


def logits_normalized(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Layer norm of the logits instead of their probabilities."""
    loss = _loss(logits, targets, weight, ignore_index, reduction, label_smoothing)
    return loss, _norm(logits, normalized_shape, eps, out)


def normalized_first(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Softmax of the layer norm."""
    loss = _loss(logits, targets, weight, ignore_index, reduction, label_smoothing)
    y = F.softmax(F.layer_norm(logits, _shape(normalized_shape), eps=eps), dim=1)
    return loss, y if out is None else out.copy_(y)


def softmax_along_last(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Softmax along the last dimension, which is not always that of the classes."""
    loss = _loss(logits, targets, weight, ignore_index, reduction, label_smoothing)
    return loss, _norm(F.softmax(logits, dim=-1), normalized_shape, eps, out)


def always_last_dim(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Normalizes over the last dimension only, whatever normalized_shape says."""
    _shape_end = _shape(normalized_shape)
    if tuple(logits.shape[-len(_shape_end):]) != _shape_end:
        raise RuntimeError("normalized_shape")
    loss = _loss(logits, targets, weight, ignore_index, reduction, label_smoothing)
    return loss, _norm(F.softmax(logits, dim=1), logits.shape[-1], eps, out)


def eps_ignored(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Uses 1e-5."""
    loss = _loss(logits, targets, weight, ignore_index, reduction, label_smoothing)
    return loss, _norm(F.softmax(logits, dim=1), normalized_shape, 1e-5, out)


def eps_outside_root(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Divides by sqrt(variance) + eps."""
    loss = _loss(logits, targets, weight, ignore_index, reduction, label_smoothing)
    p = F.softmax(logits, dim=1)
    _norm(p, normalized_shape, eps, None)
    dims = tuple(range(-len(_shape(normalized_shape)), 0))
    centred = p - p.mean(dims, keepdim=True)
    y = centred / ((centred * centred).mean(dims, keepdim=True).sqrt() + eps)
    return loss, y if out is None else out.copy_(y)


def unbiased_variance(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Divides the squares by n - 1."""
    loss = _loss(logits, targets, weight, ignore_index, reduction, label_smoothing)
    p = F.softmax(logits, dim=1)
    _norm(p, normalized_shape, eps, None)
    dims = tuple(range(-len(_shape(normalized_shape)), 0))
    y = (p - p.mean(dims, keepdim=True)) / torch.sqrt(p.var(dims, keepdim=True) + eps)
    return loss, y if out is None else out.copy_(y)


def single_pass_variance(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """E[p^2] - E[p]^2: nearly equal probabilities cancel."""
    loss = _loss(logits, targets, weight, ignore_index, reduction, label_smoothing)
    p = F.softmax(logits, dim=1)
    _norm(p, normalized_shape, eps, None)
    dims = tuple(range(-len(_shape(normalized_shape)), 0))
    mean = p.mean(dims, keepdim=True)
    y = (p - mean) / torch.sqrt(((p * p).mean(dims, keepdim=True) - mean * mean).clamp(min=0) + eps)
    return loss, y if out is None else out.copy_(y)


def weight_scales_output(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Takes the class weights for the layer norm's scale."""
    loss = _loss(logits, targets, weight, ignore_index, reduction, label_smoothing)
    y = _norm(F.softmax(logits, dim=1), normalized_shape, eps, None)
    if weight is not None:
        y = y * weight.view([1, -1] + [1] * (logits.dim() - 2))
    return loss, y if out is None else out.copy_(y)


def weight_ignored(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Drops the class weights."""
    loss = _loss(logits, targets, None, ignore_index, reduction, label_smoothing)
    return loss, _norm(F.softmax(logits, dim=1), normalized_shape, eps, out)


def smoothing_ignored(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Drops label_smoothing."""
    loss = _loss(logits, targets, weight, ignore_index, reduction, 0.0)
    return loss, _norm(F.softmax(logits, dim=1), normalized_shape, eps, out)


def always_mean(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Averages whatever reduction is asked for."""
    loss = _loss(logits, targets, weight, ignore_index, "mean", label_smoothing)
    return loss, _norm(F.softmax(logits, dim=1), normalized_shape, eps, out)


def ignored_rows_zeroed(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Leaves the normalized probabilities of ignored positions 0."""
    loss = _loss(logits, targets, weight, ignore_index, reduction, label_smoothing)
    y = _norm(F.softmax(logits, dim=1), normalized_shape, eps, None)
    y = torch.where((targets == ignore_index).unsqueeze(1), 0.0, y)
    return loss, y if out is None else out.copy_(y)


def no_max_subtraction(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """exp(x) as it stands: overflows."""
    power = torch.exp(logits)
    p = power / power.sum(1, keepdim=True)
    loss = F.nll_loss(p.log(), targets, weight=weight, ignore_index=ignore_index, reduction=reduction)
    if label_smoothing > 0:
        loss = _loss(p.log(), targets, weight, ignore_index, reduction, label_smoothing)
    return loss, _norm(p, normalized_shape, eps, out)


def out_not_written(
    logits, targets, normalized_shape, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0,
    eps=1e-05, *, out=None,
):
    """Returns a fresh tensor and leaves out as it was."""
    loss = _loss(logits, targets, weight, ignore_index, reduction, label_smoothing)
    return loss, _norm(F.softmax(logits, dim=1), normalized_shape, eps, None)
