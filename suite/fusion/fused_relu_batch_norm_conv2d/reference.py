"""Two-dimensional convolution, batch normalization, ReLU: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_relu_batch_norm_conv2d(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """relu(batch_norm(conv2d(input))); updates the running statistics while training."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    z = F.batch_norm(c, running_mean, running_var, bn_weight, bn_bias, training, momentum, eps)
    return F.relu(z, inplace=inplace)


def magnitude(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, running_mean=None, running_var=None,
    bn_weight=None, bn_bias=None, training=False, momentum=0.1, eps=1e-05, inplace=False,
):
    """How far rounding of the terms moves each output."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    bias = None if bias is None else bias.abs()
    terms = F.conv2d(input.abs(), weight.abs(), bias, stride, padding, dilation, groups)
    if training:
        moved = normalized_magnitude(c, terms, (0, 2, 3), eps)
    else:
        moved = (terms + running_mean.abs()[:, None, None]) / torch.sqrt(running_var + eps)[:, None, None]
    moved = moved.masked_fill(moved.isinf(), 0)  # ReLU is exact at the infinities
    moved = moved if bn_weight is None else moved * bn_weight.abs()[:, None, None]
    return moved if bn_bias is None else moved + bn_bias.abs()[:, None, None]


def normalized_magnitude(z, terms, dims, eps):
    """What normalizing z over dims makes of errors as large as terms: of z itself, of the mean and of the deviation."""
    spread = torch.sqrt(z.var(dims, correction=0, keepdim=True) + eps)
    y = (z - z.mean(dims, keepdim=True)) / spread
    typical = torch.sqrt((terms * terms).mean(dims, keepdim=True))
    return (terms + typical * (1 + y.abs())) / spread + y.abs()
