"""Plausible wrong implementations of convolution and ReLU; each must be rejected."""
import torch
import torch.nn.functional as F


def no_relu(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """The convolution alone."""
    return F.conv2d(input, weight, bias, stride, padding, dilation, groups)


def relu_first(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """ReLU of the input instead of the result."""
    return F.conv2d(F.relu(input), weight, bias, stride, padding, dilation, groups)


def bias_after_relu(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """Adds the bias to what ReLU leaves."""
    y = F.relu(F.conv2d(input, weight, None, stride, padding, dilation, groups))
    return y if bias is None else y + bias[:, None, None]


def input_overwritten(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """Takes inplace for a permission to write into the input."""
    y = F.relu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))
    if inplace:
        input.clamp_(min=0)
    return y


def groups_ignored(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """Every group reads the channels of the first one."""
    return F.relu(F.conv2d(input[:, :weight.shape[1]], weight, bias, stride, padding, dilation))


def dilation_ignored(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """Takes neighbouring pixels; the output has the right size."""
    right = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    near = F.conv2d(input, weight, bias, stride, padding, 1, groups)
    return F.relu(near[..., :right.shape[-2], :right.shape[-1]]).contiguous()


def axes_swapped(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """Uses the horizontal stride, padding and dilation vertically and the other way round."""
    stride, padding, dilation = (v if isinstance(v, int) else tuple(v)[::-1] for v in (stride, padding, dilation))
    return F.relu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))


def tf32_operands(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    def rounded(x):
        if x.dtype != torch.float32:
            return x
        return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    return F.relu(F.conv2d(rounded(input), rounded(weight), bias, stride, padding, dilation, groups))


def output_channels_cut(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """One tile of 64 output channels and no more."""
    y = F.relu(F.conv2d(input, weight, bias, stride, padding, dilation, groups))
    y[:, 64:] = 0
    return y


def nan_dropped(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """maximum(x, 0) as the hardware takes it: a NaN becomes 0."""
    c = F.conv2d(input, weight, bias, stride, padding, dilation, groups)
    return torch.where(c > 0, c, 0)


def _as_it_lies(x):
    """The memory from the first element on, as if x were contiguous."""
    length = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
    flat = x.as_strided((length,), (1,))
    return flat[torch.arange(x.numel(), device=x.device) % max(length, 1)].view(x.shape)


def bias_as_it_lies(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """Ignores the stride of bias."""
    b = None if bias is None else _as_it_lies(bias)
    return F.relu(F.conv2d(input, weight, b, stride, padding, dilation, groups))


def weight_as_it_lies(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1, inplace=False):
    """Ignores the strides of weight."""
    return F.relu(F.conv2d(input, _as_it_lies(weight), bias, stride, padding, dilation, groups))
