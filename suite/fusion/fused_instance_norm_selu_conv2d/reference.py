"""Two-dimensional convolution, SELU, instance normalization: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_instance_norm_selu_conv2d(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """instance_norm(selu(conv2d(input))) with the statistics of each plane."""
    z = F.selu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))
    return F.instance_norm(z, eps=eps)


def magnitude(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """How far rounding of the terms moves each output."""
    z = F.selu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))
    bias = None if bias is None else bias.abs()
    terms = F.conv2d(input.abs(), weight.abs(), bias, stride, padding, dilation, groups)
    return normalized_magnitude(z, 1.76 * terms, (2, 3), eps)  # the steepest slope of SELU


def normalized_magnitude(z, terms, dims, eps):
    """What normalizing z over dims makes of errors as large as terms: of z itself, of the mean and of the deviation."""
    spread = torch.sqrt(z.var(dims, correction=0, keepdim=True) + eps)
    y = (z - z.mean(dims, keepdim=True)) / spread
    typical = torch.sqrt((terms * terms).mean(dims, keepdim=True))
    return (terms + typical * (1 + y.abs())) / spread + y.abs()
