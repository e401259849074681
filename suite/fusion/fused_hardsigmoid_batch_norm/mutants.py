"""Plausible wrong versions of batch normalization and hard sigmoid, one fault each."""
import torch
import torch.nn.functional as F


def _act(y):
    return F.hardsigmoid(y)


def _channels(x, v):
    """A (C,) vector shaped to broadcast against x."""
    return v.view(1, -1, *[1] * (x.dim() - 2))


def _normalize(x, mean, var, weight, bias, eps):
    y = (x.float() - _channels(x, mean)) / torch.sqrt(_channels(x, var) + eps)
    y = y if weight is None else y * _channels(x, weight.contiguous())
    return (y if bias is None else y + _channels(x, bias.contiguous())).to(x.dtype)


def _statistics(x, unbiased=False):
    dims = [d for d in range(x.dim()) if d != 1]
    return x.float().mean(dims), x.float().var(dims, unbiased=unbiased)


def _update(running, value, momentum):
    if running is not None:
        running.copy_((1 - momentum) * running + momentum * value)


def never_updates_running(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Running statistics stay as they were while training."""
    copies = [None if r is None else r.clone() for r in (running_mean, running_var)]
    return _act(F.batch_norm(x, *copies, weight, bias, training, momentum, eps))


def momentum_reversed(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """The old running value is weighted with momentum, the new statistic with 1 - momentum."""
    return _act(F.batch_norm(x, running_mean, running_var, weight, bias, training, 1 - momentum, eps))


def biased_running_variance(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """The running variance takes the biased batch variance."""
    if not training:
        return _act(F.batch_norm(x, running_mean, running_var, weight, bias, False, momentum, eps))
    mean, var = _statistics(x)
    _update(running_mean, mean, momentum)
    _update(running_var, var, momentum)
    return _act(_normalize(x, mean, var, weight, bias, eps))


def unbiased_normalization(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Divides by the unbiased standard deviation."""
    if not training:
        return _act(F.batch_norm(x, running_mean, running_var, weight, bias, False, momentum, eps))
    mean, var = _statistics(x, unbiased=True)
    _update(running_mean, mean, momentum)
    _update(running_var, var, momentum)
    return _act(_normalize(x, mean, var, weight, bias, eps))


def single_pass_variance(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """The variance is E[x^2] - E[x]^2 in float32, which cancels when the mean is large."""
    if not training:
        return _act(F.batch_norm(x, running_mean, running_var, weight, bias, False, momentum, eps))
    dims = [d for d in range(x.dim()) if d != 1]
    v, n = x.float(), x.numel() // x.shape[1]
    mean = v.mean(dims)
    var = ((v * v).mean(dims) - mean * mean).clamp(min=0)
    _update(running_mean, mean, momentum)
    _update(running_var, var * n / (n - 1), momentum)
    return _act(_normalize(x, mean, var, weight, bias, eps))


def drops_eps(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """eps is left out of the square root."""
    return _act(F.batch_norm(x, running_mean, running_var, weight, bias, training, momentum, 1e-30))


def always_batch_statistics(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Uses the batch's statistics in inference too."""
    if training:
        return _act(F.batch_norm(x, running_mean, running_var, weight, bias, True, momentum, eps))
    return _act(_normalize(x, *_statistics(x), weight, bias, eps))


def updates_in_inference(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """The running mean moves although training is False."""
    y = F.batch_norm(x, running_mean, running_var, weight, bias, training, momentum, eps)
    if not training:
        _update(running_mean, _statistics(x)[0], momentum)
    return _act(y)


def ignores_weight(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """The scale per channel is never applied."""
    return _act(F.batch_norm(x, running_mean, running_var, None, bias, training, momentum, eps))


def ignores_bias(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """The shift per channel is never applied."""
    return _act(F.batch_norm(x, running_mean, running_var, weight, None, training, momentum, eps))


def no_activation(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Batch normalization alone."""
    return F.batch_norm(x, running_mean, running_var, weight, bias, training, momentum, eps)


def activation_first(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Activates the input and normalizes afterwards."""
    return F.batch_norm(_act(x), running_mean, running_var, weight, bias, training, momentum, eps)


def first_pieces_only(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Normalizes a grid of 4 blocks of 1024 elements: what lies beyond stays 0."""
    y = _act(F.batch_norm(x, running_mean, running_var, weight, bias, training, momentum, eps)).contiguous()
    y.view(-1)[4096:] = 0
    return y


def sigmoid_for_hard(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """The smooth sigmoid."""
    return torch.sigmoid(F.batch_norm(x, running_mean, running_var, weight, bias, training, momentum, eps))


def other_slope(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """max(0, min(1, 0.2 y + 0.5)), another library's hard sigmoid."""
    return (F.batch_norm(x, running_mean, running_var, weight, bias, training, momentum, eps) * 0.2 + 0.5).clamp(0, 1)


def not_clipped_above(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """max(y + 3, 0) / 6."""
    return (F.batch_norm(x, running_mean, running_var, weight, bias, training, momentum, eps) + 3).clamp(min=0) / 6


def writes_into_x(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """With inplace the result overwrites x."""
    y = _act(F.batch_norm(x, running_mean, running_var, weight, bias, training, momentum, eps))
    return x.copy_(y) if inplace else y


def nan_dropped(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Clips with comparisons: a NaN becomes 0."""
    y = F.batch_norm(x, running_mean, running_var, weight, bias, training, momentum, eps)
    return F.hardsigmoid(torch.where(y > -3, y, -3))


def _as_it_lies(x):
    """The memory from the first element on, as if x were contiguous."""
    length = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
    flat = x.as_strided((length,), (1,))
    return flat[torch.arange(x.numel(), device=x.device) % max(length, 1)].view(x.shape)


def weight_as_it_lies(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Ignores the stride of weight."""
    w = None if weight is None else _as_it_lies(weight)
    return _act(F.batch_norm(x, running_mean, running_var, w, bias, training, momentum, eps))
