"""Wrong versions of batch_norm, one fault each."""
import torch
import torch.nn.functional as F


def _channels(x, v):
    """A (C,) vector shaped to broadcast against x."""
    return v.view(1, -1, *[1] * (x.dim() - 2))


def _normalize(x, mean, var, weight, bias, eps):
    y = (x.float() - _channels(x, mean)) / torch.sqrt(_channels(x, var) + eps)
    y = y if weight is None else y * _channels(x, weight)
    return (y if bias is None else y + _channels(x, bias)).to(x.dtype)


def _statistics(x, unbiased=False):
    dims = [d for d in range(x.dim()) if d != 1]
    return x.float().mean(dims), x.float().var(dims, unbiased=unbiased)


def _update(running, value, momentum):
    if running is not None:
        running.copy_((1 - momentum) * running + momentum * value)


def never_updates_running(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05,
):
    """Running statistics stay as they were while training."""
    copies = [None if r is None else r.clone() for r in (running_mean, running_var)]
    return F.batch_norm(input, *copies, weight, bias, training, momentum, eps)


def momentum_reversed(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05,
):
    """The old running value is weighted with momentum, the new statistic with 1 - momentum."""
    return F.batch_norm(input, running_mean, running_var, weight, bias, training, 1 - momentum, eps)


def biased_running_variance(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05,
):
    """The running variance takes the biased batch variance."""
    if not training:
        return F.batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    mean, var = _statistics(input)
    _update(running_mean, mean, momentum)
    _update(running_var, var, momentum)
    return _normalize(input, mean, var, weight, bias, eps)


def unbiased_normalization(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05,
):
    """The output is divided by the unbiased standard deviation."""
    if not training:
        return F.batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    mean, var = _statistics(input, unbiased=True)
    _update(running_mean, mean, momentum)
    _update(running_var, var, momentum)
    return _normalize(input, mean, var, weight, bias, eps)


def single_pass_variance(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05,
):
    """The variance is E[x^2] - E[x]^2 in float32, which cancels when the mean is large."""
    if not training:
        return F.batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    dims = [d for d in range(input.dim()) if d != 1]
    x, n = input.float(), input.numel() // input.shape[1]
    mean = x.mean(dims)
    var = ((x * x).mean(dims) - mean * mean).clamp(min=0)
    _update(running_mean, mean, momentum)
    _update(running_var, var * n / (n - 1), momentum)
    return _normalize(input, mean, var, weight, bias, eps)


def drops_eps(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    """eps is left out of the square root."""
    return F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, 1e-30)


def always_batch_statistics(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05,
):
    """Uses the batch's statistics in inference too."""
    return F.batch_norm(input, running_mean, running_var, weight, bias, True, momentum, eps)


def updates_in_inference(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05,
):
    """Running statistics move although training is False."""
    y = F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)
    if not training:
        _update(running_mean, _statistics(input)[0], momentum)
    return y


def statistics_per_sample(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05,
):
    """Normalizes each sample by its own statistics, as instance norm does."""
    y = F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)
    return F.instance_norm(input, None, None, weight, bias, True, 0.0, eps) if training and input.dim() > 2 else y


def ignores_weight(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    """The scale per channel is never applied."""
    return F.batch_norm(input, running_mean, running_var, None, bias, training, momentum, eps)


def _as_it_lies(x):
    """The memory from the first element on, as if x were contiguous."""
    length = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
    flat = x.as_strided((length,), (1,))
    return flat[torch.arange(x.numel(), device=x.device) % max(length, 1)].view(x.shape)


def vectors_as_they_lie(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05,
):
    """Ignores the strides of weight and bias."""
    w = None if weight is None else _as_it_lies(weight)
    b = None if bias is None else _as_it_lies(bias)
    return F.batch_norm(input, running_mean, running_var, w, b, training, momentum, eps)


def statistics_as_they_lie(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05,
):
    """Ignores the strides of the running statistics where they are only read."""
    if training:
        return F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)
    return F.batch_norm(input, _as_it_lies(running_mean), _as_it_lies(running_var), weight, bias, False, momentum, eps)
