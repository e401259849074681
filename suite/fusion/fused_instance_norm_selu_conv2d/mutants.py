"""Plausible wrong versions of convolution, SELU and instance normalization; each must be rejected."""
import torch
import torch.nn.functional as F


def no_selu(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Normalizes the convolution itself."""
    return F.instance_norm(F.conv2d(input, weight, bias, stride, padding, dilation, groups), eps=eps)


def selu_last(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Normalizes first and applies SELU to the result."""
    return F.selu(F.instance_norm(F.conv2d(input, weight, bias, stride, padding, dilation, groups), eps=eps))


def elu(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Leaves SELU's constants out."""
    return F.instance_norm(F.elu(F.conv2d(input, weight, bias, stride, padding, dilation, groups)), eps=eps)


def relu_like(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Scales the positive half and cuts the negative one off."""
    z = 1.0507009873554805 * F.relu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))
    return F.instance_norm(z, eps=eps)


def batch_statistics(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Takes mean and variance over the batch too."""
    z = F.selu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))
    mean, variance = z.mean((0, 2, 3), keepdim=True), z.var((0, 2, 3), correction=0, keepdim=True)
    return (z - mean) / torch.sqrt(variance + eps)


def layer_statistics(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Takes mean and variance over all channels of an image."""
    z = F.selu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))
    return F.layer_norm(z, z.shape[1:], eps=eps)


def unbiased_variance(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Divides the squares by the count less one."""
    z = F.selu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))
    return (z - z.mean((2, 3), keepdim=True)) / torch.sqrt(z.var((2, 3), keepdim=True) + eps)


def squares_cancel(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Variance as the mean of the squares less the square of the mean, in one pass."""
    z = F.selu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))
    mean = z.mean((2, 3), keepdim=True)
    variance = (z * z).mean((2, 3), keepdim=True) - mean * mean
    return (z - mean) / torch.sqrt(variance.clamp(min=0) + eps)


def eps_ignored(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Always adds 1e-5."""
    z = F.selu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))
    return F.instance_norm(z)


def eps_outside_root(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Adds eps to the deviation instead of the variance."""
    z = F.selu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))
    return (z - z.mean((2, 3), keepdim=True)) / (z.std((2, 3), correction=0, keepdim=True) + eps)


def bias_after_normalization(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Adds the bias at the very end."""
    z = F.selu(F.conv2d(input, weight, None, stride, padding, dilation, groups))
    y = F.instance_norm(z, eps=eps)
    return y if bias is None else y + bias[:, None, None]


def groups_ignored(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Every group reads the channels of the first one."""
    c = F.conv2d(input[:, :weight.shape[1]], weight, bias, stride, padding, dilation)
    return F.instance_norm(F.selu(c), eps=eps)


def plane_cut(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Statistics of the first 1024 values of a plane."""
    z = F.selu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))
    flat = z.flatten(2)[..., :1024]
    mean, variance = flat.mean(2), flat.var(2, correction=0)
    return (z - mean[..., None, None]) / torch.sqrt(variance[..., None, None] + eps)


def tf32_operands(
    input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, num_features=None, eps=1e-05, momentum=0.1,
    affine=False, track_running_stats=False,
):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    return F.instance_norm(
        F.selu(F.conv2d(rounded(input), rounded(weight), bias, stride, padding, dilation, groups)), eps=eps
    )
