"""Plausible wrong versions of convolution, layer normalization and SiLU; each must be rejected."""
import torch
import torch.nn.functional as F


def gain_ignored(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """Never reads weight, as the published reference."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    return F.silu(F.layer_norm(c, c.shape[1:], eps=ln_eps))


def gain_per_column(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """Takes weight for the gains of the columns, cut or repeated to fit."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    gain = weight[torch.arange(c.shape[-1], device=c.device) % weight.numel()]
    return F.silu(F.layer_norm(c, c.shape[1:], eps=ln_eps) * gain)


def gain_last(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """Scales SiLU's result instead of its argument."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    return F.silu(F.layer_norm(c, c.shape[1:], eps=ln_eps)) * weight[:, None, None]


def no_silu(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """The normalized values themselves."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    return F.layer_norm(c, c.shape[1:], eps=ln_eps) * weight[:, None, None]


def sigmoid_alone(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """The sigmoid without its factor."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    return torch.sigmoid(F.layer_norm(c, c.shape[1:], eps=ln_eps) * weight[:, None, None])


def silu_first(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """Normalizes SiLU of the convolution."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    return F.layer_norm(F.silu(c), c.shape[1:], eps=ln_eps) * weight[:, None, None]


def gelu(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """GELU instead of SiLU."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    return F.gelu(F.layer_norm(c, c.shape[1:], eps=ln_eps) * weight[:, None, None])


def channel_statistics(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """Normalizes over the channels of each position."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    return F.silu(F.layer_norm(c.movedim(1, -1), c.shape[1:2], eps=ln_eps).movedim(-1, 1) * weight[:, None, None])


def plane_statistics(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """Normalizes every channel of an image on its own."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    mean, variance = c.mean((2, 3), keepdim=True), c.var((2, 3), correction=0, keepdim=True)
    return F.silu(((c - mean) / torch.sqrt(variance + ln_eps)) * weight[:, None, None])


def unbiased_variance(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """Divides the squares by the count less one."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    mean, variance = c.mean((1, 2, 3), keepdim=True), c.var((1, 2, 3), keepdim=True)
    return F.silu(((c - mean) / torch.sqrt(variance + ln_eps)) * weight[:, None, None])


def squares_cancel(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """Variance as the mean of the squares less the square of the mean, in one pass."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    mean = c.mean((1, 2, 3), keepdim=True)
    variance = ((c * c).mean((1, 2, 3), keepdim=True) - mean * mean).clamp(min=0)
    return F.silu(((c - mean) / torch.sqrt(variance + ln_eps)) * weight[:, None, None])


def eps_ignored(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """Always adds 1e-5."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    return F.silu(F.layer_norm(c, c.shape[1:]) * weight[:, None, None])


def groups_ignored(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """Every group reads the channels of the first one."""
    first = x[:, :conv_weight.shape[1]]
    c = F.conv2d(first, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation)
    return F.silu(F.layer_norm(c, c.shape[1:], eps=ln_eps) * weight[:, None, None])


def statistics_cut(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """Statistics of the first 8192 values of an image."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    flat = c.flatten(1)[:, :8192]
    mean, variance = (v.view(-1, 1, 1, 1) for v in (flat.mean(1), flat.var(1, correction=0)))
    return F.silu(((c - mean) / torch.sqrt(variance + ln_eps)) * weight[:, None, None])


def tf32_operands(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    c = F.conv2d(
        rounded(x), rounded(conv_weight), conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups
    )
    return F.silu(F.layer_norm(c, c.shape[1:], eps=ln_eps) * weight[:, None, None])
