"""Plausible wrong versions of convolution, batch normalization and ReLU; each must be rejected."""
import torch
import torch.nn.functional as F


def _finish(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps):
    """What is right after the convolution."""
    return F.relu(F.batch_norm(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps))


def no_relu(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Leaves negative numbers."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return F.batch_norm(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps)


def relu_first(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """ReLU before the normalization."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    c = F.relu(c)
    return F.batch_norm(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps)


def always_running(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Uses the running statistics while training too, and does not update them."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    if running_mean is None:
        return _finish(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps)
    return _finish(c, running_mean, running_var, bn_weight, bn_bias, False, momentum, eps)


def always_batch(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Uses the statistics of the batch when not training too."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    copies = (None, None) if not training else (running_mean, running_var)
    return _finish(c, *copies, bn_weight, bn_bias, True, momentum, eps)


def never_updates(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Running statistics stay as they were."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    copies = [None if r is None else r.clone() for r in (running_mean, running_var)]
    return _finish(c, *copies, bn_weight, bn_bias, training, momentum, eps)


def updates_in_evaluation(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Running statistics follow the batch when not training too."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    y = _finish(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps)
    if not training and c.numel() > 0:
        F.batch_norm(c, running_mean, running_var, training=True, momentum=momentum)
    return y


def momentum_reversed(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Weights the old statistics with momentum."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return _finish(c, running_mean, running_var, bn_weight, bn_bias, training, 1 - momentum, eps)


def momentum_ignored(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Momentum always is 0.1."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return _finish(c, running_mean, running_var, bn_weight, bn_bias, training, 0.1, eps)


def biased_running_variance(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """The running variance takes the variance divided by n."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    old = None if running_var is None else running_var.clone()
    y = _finish(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps)
    if training and old is not None:
        running_var.copy_((1 - momentum) * old + momentum * c.float().var((0, 2, 3), correction=0))
    return y


def squares_cancel(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Variance as the mean of the squares less the square of the mean, in one pass."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    if training:
        x = c.float()
        mean, square = x.mean((0, 2, 3)), (x * x).mean((0, 2, 3))
        _finish(c, running_mean, running_var, bn_weight, bn_bias, True, momentum, eps)
        running_mean, running_var, training = mean, (square - mean * mean).clamp(min=0), False
    return _finish(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps)


def affine_ignored(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Never reads bn_weight and bn_bias."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return _finish(c, running_mean, running_var, None, None, training, momentum, eps)


def offset_needs_gain(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Adds bn_bias only where there is a bn_weight."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    offset = None if bn_weight is None else bn_bias
    return _finish(c, running_mean, running_var, bn_weight, offset, training, momentum, eps)


def eps_ignored(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Always adds 1e-5."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return _finish(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, 1e-5)


def statistics_cut(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Statistics of the first 4096 values of a channel."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    if training:
        flat = c.float().transpose(0, 1).flatten(1)[:, :4096]
        _finish(c, running_mean, running_var, bn_weight, bn_bias, True, momentum, eps)
        running_mean, running_var, training = flat.mean(1), flat.var(1, correction=0), False
    return _finish(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps)


def bias_dropped(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Leaves the bias out, which only training can hide."""
    c = F.conv2d(input, weight, None, stride, padding, dilation, groups)
    return _finish(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps)


def groups_ignored(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Every group reads the channels of the first one."""
    c = F.conv2d(input[:, :weight.shape[1]], weight, bias, stride, padding, dilation)
    return _finish(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps)


def tf32_operands(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    c = F.conv2d(rounded(input), rounded(weight), bias, stride, padding, dilation, groups)
    return _finish(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps)


def nan_dropped(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """maximum(x, 0) as the hardware takes it: a NaN becomes 0."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    z = F.batch_norm(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps)
    return torch.where(z > 0, z, 0)


def _as_it_lies(x):
    """The memory from the first element on, as if x were contiguous."""
    length = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
    flat = x.as_strided((length,), (1,))
    return flat[torch.arange(x.numel(), device=x.device) % max(length, 1)].view(x.shape)


def vectors_as_they_lie(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """Ignores the strides of scale and shift."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    scale = None if bn_weight is None else _as_it_lies(bn_weight)
    shift = None if bn_bias is None else _as_it_lies(bn_bias)
    return F.relu(F.batch_norm(c, running_mean, running_var, scale, shift, training, momentum, eps))
