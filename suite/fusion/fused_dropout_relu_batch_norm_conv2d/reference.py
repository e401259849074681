"""Two-dimensional convolution, batch normalization, ReLU, dropout: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_dropout_relu_batch_norm_conv2d(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """dropout(relu(batch_norm(conv2d(input)))) with the statistics of the batch."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    r = F.relu(F.batch_norm(c, None, None, training=True), inplace=inplace)
    return F.dropout(r, p=p, training=training, inplace=inplace)


def survivors(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """What an element that dropout keeps becomes (with p = 1 none is kept)."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    r = F.relu(F.batch_norm(c, None, None, training=True))
    if not training:
        return r
    return torch.zeros_like(r) if p == 1 else r / (1 - p)


def magnitude(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, p=0.5, training=True, inplace=False
):
    """How far rounding of the terms moves each output."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    bias = None if bias is None else bias.abs()
    terms = F.conv2d(input.abs(), weight.abs(), bias, stride, padding, dilation, groups)
    moved = normalized_magnitude(c, terms, (0, 2, 3), 1e-5)
    return moved / (1 - p) if training and p < 1 else moved


def normalized_magnitude(z, terms, dims, eps):
    """What normalizing z over dims makes of errors as large as terms: of z itself, of the mean and of the deviation."""
    spread = torch.sqrt(z.var(dims, correction=0, keepdim=True) + eps)
    y = (z - z.mean(dims, keepdim=True)) / spread
    typical = torch.sqrt((terms * terms).mean(dims, keepdim=True))
    return (terms + typical * (1 + y.abs())) / spread + y.abs()
