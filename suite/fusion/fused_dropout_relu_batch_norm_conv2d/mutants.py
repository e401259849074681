"""Plausible wrong versions of convolution, batch normalization, ReLU and dropout; each must be rejected."""
import torch
import torch.nn.functional as F


def _before_dropout(input, weight, bias, stride, padding, dilation, groups):
    """relu(batch_norm(conv2d(input)))."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return F.relu(F.batch_norm(c, None, None, training=True))


def no_batch_norm(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """ReLU and dropout of the convolution itself."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return F.dropout(F.relu(c), p=p, training=training)


def no_relu(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False):
    """Leaves negative numbers."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return F.dropout(F.batch_norm(c, None, None, training=True), p=p, training=training)


def relu_first(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Normalizes after ReLU."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return F.dropout(F.batch_norm(F.relu(c), None, None, training=True), p=p, training=training)


def never_drops(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Scales but keeps every element."""
    r = _before_dropout(input, weight, bias, stride, padding, dilation, groups)
    return r / (1 - p) if training and p < 1 else r


def training_ignored(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Drops in evaluation mode too."""
    r = _before_dropout(input, weight, bias, stride, padding, dilation, groups)
    return F.dropout(r, p=p, training=True)


def not_scaled(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Survivors are not divided by 1 - p."""
    r = _before_dropout(input, weight, bias, stride, padding, dilation, groups)
    return F.dropout(r, p=p, training=training) * (1 - p if training else 1)


def drops_the_complement(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Keeps with probability p instead of dropping with it."""
    r = _before_dropout(input, weight, bias, stride, padding, dilation, groups)
    if not training or p in (0, 1):
        return F.dropout(r, p=p, training=training)
    keep = torch.rand(r.shape, device=r.device) < p
    return torch.where(keep, r / (1 - p), torch.zeros_like(r))


def same_mask_every_call(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """The seed is a constant: every call drops the same elements."""
    r = _before_dropout(input, weight, bias, stride, padding, dilation, groups)
    if not training or p in (0, 1):
        return F.dropout(r, p=p, training=training)
    generator = torch.Generator(device=r.device).manual_seed(0)
    keep = torch.rand(r.shape, device=r.device, generator=generator) >= p
    return torch.where(keep, r / (1 - p), torch.zeros_like(r))


def same_mask_for_every_image(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """The random numbers begin anew with each image."""
    r = _before_dropout(input, weight, bias, stride, padding, dilation, groups)
    if not training or p in (0, 1):
        return F.dropout(r, p=p, training=training)
    keep = (torch.rand(r.shape[1:], device=r.device) >= p).expand(r.shape)
    return torch.where(keep, r / (1 - p), torch.zeros_like(r))


def same_mask_for_every_channel(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """The random numbers begin anew with each plane."""
    r = _before_dropout(input, weight, bias, stride, padding, dilation, groups)
    if not training or p in (0, 1):
        return F.dropout(r, p=p, training=training)
    keep = (torch.rand(r.shape[2:], device=r.device) >= p).expand(r.shape)
    return torch.where(keep, r / (1 - p), torch.zeros_like(r))


def mask_from_values(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Hashes the value instead of its place: equal elements are dropped together."""
    r = _before_dropout(input, weight, bias, stride, padding, dilation, groups)
    if not training or p in (0, 1):
        return F.dropout(r, p=p, training=training)
    start = torch.rand((), device=r.device) * 1000
    keep = torch.frac(torch.sin(r.double() * 12345.678 + start).abs() * 43758.5453) >= p
    return torch.where(keep, r / (1 - p), torch.zeros_like(r))


def drops_channels(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Drops whole planes."""
    r = _before_dropout(input, weight, bias, stride, padding, dilation, groups)
    return F.dropout2d(r, p=p, training=training)


def running_statistics_in_evaluation(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Takes mean 0 and variance 1 when not training."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    if not training:
        return F.relu(c)
    return F.dropout(F.relu(F.batch_norm(c, None, None, training=True)), p=p, training=training)


def instance_statistics(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Normalizes every plane on its own."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return F.dropout(F.relu(F.instance_norm(c)), p=p, training=training)


def squares_cancel(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Variance as the mean of the squares less the square of the mean, in one pass."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    mean = c.mean((0, 2, 3), keepdim=True)
    variance = ((c * c).mean((0, 2, 3), keepdim=True) - mean * mean).clamp(min=0)
    return F.dropout(F.relu((c - mean) / torch.sqrt(variance + 1e-5)), p=p, training=training)


def statistics_cut(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Statistics of the first 4096 values of a channel."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    flat = c.transpose(0, 1).flatten(1)[:, :4096]
    mean, variance = (v[:, None, None] for v in (flat.mean(1), flat.var(1, correction=0)))
    return F.dropout(F.relu((c - mean) / torch.sqrt(variance + 1e-5)), p=p, training=training)


def groups_ignored(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Every group reads the channels of the first one."""
    r = _before_dropout(input[:, :weight.shape[1]], weight, bias, stride, padding, dilation, 1)
    return F.dropout(r, p=p, training=training)


def tf32_operands(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    r = _before_dropout(rounded(input), rounded(weight), bias, stride, padding, dilation, groups)
    return F.dropout(r, p=p, training=training)


def nan_dropped(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """maximum(x, 0) as the hardware takes it: a NaN becomes 0."""
    z = F.batch_norm(F.conv2d(input, weight, bias, stride, padding, dilation, groups), None, None, training=True)
    return F.dropout(torch.where(z > 0, z, 0), p=p, training=training)
