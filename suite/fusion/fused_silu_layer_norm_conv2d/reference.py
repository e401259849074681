"""Two-dimensional convolution, layer normalization, SiLU: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_silu_layer_norm_conv2d(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """silu(layer_norm(conv2d(x)) * weight), normalized over each image."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    return F.silu(F.layer_norm(c, c.shape[1:], eps=ln_eps) * weight[:, None, None])


def magnitude(
    x, weight, conv_weight, conv_bias=None, conv_stride=1, conv_padding=0, conv_dilation=1, conv_groups=1,
    ln_eps=1e-05,
):
    """How far rounding of the terms moves each output."""
    c = F.conv2d(x, conv_weight, conv_bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    bias = None if conv_bias is None else conv_bias.abs()
    terms = F.conv2d(x.abs(), conv_weight.abs(), bias, conv_stride, conv_padding, conv_dilation, conv_groups)
    steepest = 1.1 * weight.abs()[:, None, None]  # of SiLU
    return normalized_magnitude(c, terms, (1, 2, 3), ln_eps) * steepest


def normalized_magnitude(z, terms, dims, eps):
    """What normalizing z over dims makes of errors as large as terms: of z itself, of the mean and of the deviation."""
    spread = torch.sqrt(z.var(dims, correction=0, keepdim=True) + eps)
    y = (z - z.mean(dims, keepdim=True)) / spread
    typical = torch.sqrt((terms * terms).mean(dims, keepdim=True))
    return (terms + typical * (1 + y.abs())) / spread + y.abs()
