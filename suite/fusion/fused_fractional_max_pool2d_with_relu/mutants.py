"""Plausible wrong versions of ReLU and fractional max pooling; each must be rejected."""
import torch
import torch.nn.functional as F


def _pool(x, kernel_size, output_size, output_ratio, return_indices):
    return F.fractional_max_pool2d(
        x, kernel_size, output_size=output_size, output_ratio=output_ratio, return_indices=return_indices
    )


def no_relu(input, kernel_size, output_size=None, output_ratio=None, return_indices=False):
    """Leaves negative maxima."""
    return _pool(input, kernel_size, output_size, output_ratio, return_indices)


def adaptive(input, kernel_size, output_size=None, output_ratio=None, return_indices=False):
    """Adaptive max pooling to the same size: kernel_size is ignored."""
    sizes = _pool(input, kernel_size, output_size, output_ratio, False).shape[-2:]
    return F.adaptive_max_pool2d(F.relu(input), sizes, return_indices=return_indices)


def windows_side_by_side(input, kernel_size, output_size=None, output_ratio=None, return_indices=False):
    """Ordinary max pooling with a stride of kernel_size, cut or padded to the right size."""
    right = _pool(input, kernel_size, output_size, output_ratio, False)
    y, index = F.max_pool2d(F.relu(input), kernel_size, return_indices=True)
    rows, columns = right.shape[-2:]
    y, index = (
        F.pad(v, (0, max(columns - v.shape[-1], 0), 0, max(rows - v.shape[-2], 0)))[..., :rows, :columns].contiguous()
        for v in (y, index)
    )
    return (y, index) if return_indices else y


def average(input, kernel_size, output_size=None, output_ratio=None, return_indices=False):
    """Averages: the mean over the image in place of every maximum."""
    y, index = _pool(F.relu(input), kernel_size, output_size, output_ratio, True)
    y = F.relu(input).mean((-2, -1), keepdim=True).expand_as(y).contiguous()
    return (y, index) if return_indices else y


def indices_of_the_columns(input, kernel_size, output_size=None, output_ratio=None, return_indices=False):
    """The index is the column instead of the position in the plane."""
    y, index = _pool(F.relu(input), kernel_size, output_size, output_ratio, True)
    return (y, index % input.shape[-1]) if return_indices else y


def short_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False):
    """int32 indices."""
    y, index = _pool(F.relu(input), kernel_size, output_size, output_ratio, True)
    return (y, index.to(torch.int32)) if return_indices else y


def indices_before_relu(input, kernel_size, output_size=None, output_ratio=None, return_indices=False):
    """The index of the largest element before ReLU: another one where nothing is positive."""
    y, index = _pool(input, kernel_size, output_size, output_ratio, True)
    return (F.relu(y), index) if return_indices else F.relu(y)


def pair_swapped(input, kernel_size, output_size=None, output_ratio=None, return_indices=False):
    """Uses the horizontal window size vertically and the other way round."""
    kernel = kernel_size if isinstance(kernel_size, int) else tuple(kernel_size)[::-1]
    if kernel != kernel_size and kernel[1] > 4:
        kernel = kernel_size
    return _pool(F.relu(input), kernel, output_size, output_ratio, return_indices)


def no_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False):
    """return_indices is ignored."""
    return _pool(F.relu(input), kernel_size, output_size, output_ratio, False)


def stops_at_65536(input, kernel_size, output_size=None, output_ratio=None, return_indices=False):
    """Computes 65536 elements of the result and leaves the rest 0."""
    y = _pool(F.relu(input), kernel_size, output_size, output_ratio, return_indices)
    (y[0] if return_indices else y).view(-1)[65536:] = 0
    return y


def nan_dropped(input, kernel_size, output_size=None, output_ratio=None, return_indices=False):
    """maximum(x, 0) as the hardware takes it: a NaN becomes 0."""
    x = torch.where(input > 0, input, 0)
    return F.fractional_max_pool2d(
        x, kernel_size, output_size=output_size, output_ratio=output_ratio, return_indices=return_indices
    )
