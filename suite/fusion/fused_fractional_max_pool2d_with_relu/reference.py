"""ReLU, then fractional max pooling: the PyTorch reference."""
import torch
import torch.nn.functional as F


def fused_fractional_max_pool2d_with_relu(
    input, kernel_size, output_size=None, output_ratio=None, return_indices=False
):
    """fractional_max_pool2d(relu(input))."""
    return F.fractional_max_pool2d(
        F.relu(input), kernel_size, output_size=output_size, output_ratio=output_ratio, return_indices=return_indices
    )


def _pair(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value, value)


def _starts(length, window, count):
    """For each window the earliest and the latest start that an offset allows."""
    early, late = [], []
    for i in range(count):
        if i in (0, count - 1):
            start = 0 if i == 0 and count > 1 else length - window
            early, late = early + [start], late + [start]
            continue
        whole, rest = divmod(i * (length - window), count - 1)
        early, late = early + [whole], late + [whole + (rest > 0)]
    return early, late


def magnitude(input, kernel_size, output_size=None, output_ratio=None, return_indices=False):
    """The difference of the largest and the smallest maximum that the windows allowed at each place give.

    It is 0 where only one window is allowed. The judge multiplies what is returned by 16 eps of float32.
    """
    kernel = _pair(kernel_size)
    if output_size is None:
        sizes = [int(length * ratio) for length, ratio in zip(input.shape[-2:], output_ratio)]
    else:
        sizes = _pair(output_size)
    rows, columns = (_starts(*what) for what in zip(input.shape[-2:], kernel, sizes))
    windows = F.max_pool2d(F.relu(input), kernel, stride=1)
    choices = torch.stack([windows[..., r, :][..., c] for r in rows for c in columns])
    spread = (choices.amax(0) - choices.amin(0)) / (16 * 2.0**-23)
    return (spread, torch.zeros_like(spread)) if return_indices else spread
