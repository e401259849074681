"""Plausible wrong implementations of convolution and addition; each must be rejected."""
import torch
import torch.nn.functional as F


def _finish(c, other, alpha, out):
    """What is right after the convolution."""
    if other is not None:
        c = torch.add(c, other, alpha=alpha)
    return c if out is None else out.copy_(c)


def alpha_ignored(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Adds other itself."""
    return _finish(F.conv2d(input, weight, bias, stride, padding, dilation, groups), other, 1, out)


def alpha_scales_convolution(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Multiplies the convolution by alpha instead of other."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return _finish(c if other is None else c * alpha, other, 1, out)


def other_ignored(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """The convolution alone."""
    return _finish(F.conv2d(input, weight, bias, stride, padding, dilation, groups), None, alpha, out)


def number_ignored(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Takes other only as a tensor."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return _finish(c, other if isinstance(other, torch.Tensor) else None, alpha, out)


def first_image_for_all(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Reads other as if every image had the same."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    if isinstance(other, torch.Tensor) and other.dim() == 4:
        other = other[:1]
    return _finish(c, other, alpha, out)


def vector_per_channel(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Takes a one-dimensional other for one value per channel, cut or repeated to fit."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    if isinstance(other, torch.Tensor) and other.dim() == 1:
        other = other[torch.arange(c.shape[1], device=other.device) % other.numel()].view(-1, 1, 1)
    return _finish(c, other, alpha, out)


def other_as_contiguous(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Reads the storage of other in row-major order whatever its strides."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    if isinstance(other, torch.Tensor) and other.dim() == 4 and other.shape == c.shape and other.numel() > 0:
        other = other.as_strided((other.numel(),), (1,)).view(c.shape)
    return _finish(c, other, alpha, out)


def out_ignored(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Returns a new tensor and leaves out as it was."""
    return _finish(F.conv2d(input, weight, bias, stride, padding, dilation, groups), other, alpha, None)


def bias_scaled_too(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Adds alpha times the bias."""
    c = F.conv2d(input, weight, None, stride, padding, dilation, groups)
    c = c if bias is None else c + alpha * bias[:, None, None]
    return _finish(c, other, alpha, out)


def groups_ignored(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Every group reads the channels of the first one."""
    c = F.conv2d(input[:, :weight.shape[1]], weight, bias, stride, padding, dilation)
    return _finish(c, other, alpha, out)


def dilation_ignored(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Takes neighbouring pixels; the output has the right size."""
    right = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    near = F.conv2d(input, weight, bias, stride, padding, 1, groups)
    return _finish(near[..., :right.shape[-2], :right.shape[-1]].contiguous(), other, alpha, out)


def tf32_operands(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    c = F.conv2d(rounded(input), rounded(weight), bias, stride, padding, dilation, groups)
    return _finish(c, other, alpha, out)


def half_accumulation(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Sums the products of float16 channel by channel in float16."""
    if input.dtype != torch.float16 or groups > 1:
        return _finish(F.conv2d(input, weight, bias, stride, padding, dilation, groups), other, alpha, out)
    c = 0
    for k in range(input.shape[1]):
        c = c + F.conv2d(input[:, k:k + 1], weight[:, k:k + 1], None, stride, padding, dilation)
    c = c if bias is None else c + bias[:, None, None]
    return _finish(c, other, alpha, out)


def output_channels_cut(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """One tile of 64 output channels and no more."""
    c = _finish(F.conv2d(input, weight, bias, stride, padding, dilation, groups), other, alpha, out)
    c[:, 64:] = 0
    return c


def _as_it_lies(x):
    """The memory from the first element on, as if x were contiguous."""
    length = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
    flat = x.as_strided((length,), (1,))
    return flat[torch.arange(x.numel(), device=x.device) % max(length, 1)].view(x.shape)


def bias_as_it_lies(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Ignores the stride of bias."""
    b = None if bias is None else _as_it_lies(bias)
    return _finish(F.conv2d(input, weight, b, stride, padding, dilation, groups), other, alpha, out)


def weight_as_it_lies(
    input, weight, bias=None, other=None, stride=1, padding=0, dilation=1, groups=1, alpha=1, out=None
):
    """Ignores the strides of weight."""
    return _finish(F.conv2d(input, _as_it_lies(weight), bias, stride, padding, dilation, groups), other, alpha, out)
