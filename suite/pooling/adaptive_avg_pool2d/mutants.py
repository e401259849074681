"""Plausible wrong versions of adaptive average pooling; each must be rejected."""
import torch
import torch.nn.functional as F


def _pair(input, output_size):
    size = (output_size, output_size) if isinstance(output_size, int) else output_size
    return [n if s is None else s for s, n in zip(size, input.shape[-2:], strict=True)]


def _lengths(length, count, input):
    """The sizes of the windows along one direction."""
    sizes = [-(-(i + 1) * length // count) - i * length // count for i in range(count)]
    return torch.tensor(sizes, dtype=torch.float32, device=input.device)


def equal_windows(input, output_size):
    """Ordinary pooling with kernel and stride H // rows; a remainder is left out."""
    rows, columns = _pair(input, output_size)
    kernel = (max(input.shape[-2] // rows, 1), max(input.shape[-1] // columns, 1))
    right = F.adaptive_avg_pool2d(input, output_size)
    if input.numel() == 0:
        return right
    y = F.avg_pool2d(input, kernel)
    y = F.pad(y, (0, max(columns - y.shape[-1], 0), 0, max(rows - y.shape[-2], 0)))
    return y[..., :rows, :columns].contiguous()


def windows_end_early(input, output_size):
    """Windows end at floor((i + 1) * H / rows): they never overlap."""
    rows, columns = _pair(input, output_size)
    y = torch.zeros_like(F.adaptive_avg_pool2d(input, output_size))
    height, width = input.shape[-2:]
    for i in range(rows):
        for j in range(columns):
            top, left = i * height // rows, j * width // columns
            bottom, right = max((i + 1) * height // rows, top + 1), max((j + 1) * width // columns, left + 1)
            y[..., i, j] = input[..., top:bottom, left:right].mean((-2, -1))
    return y


def fixed_stride(input, output_size):
    """Windows of one size at a fixed stride: stride H // rows, size H - (rows - 1) * stride."""
    rows, columns = _pair(input, output_size)
    height, width = input.shape[-2:]
    step = (height // rows, width // columns)
    if 0 in step or input.numel() == 0:
        return F.adaptive_avg_pool2d(input, output_size)
    return F.avg_pool2d(input, (height - (rows - 1) * step[0], width - (columns - 1) * step[1]), step)


def divides_by_largest_window(input, output_size):
    """Divides every window by the number of pixels of the first one."""
    rows, columns = _pair(input, output_size)
    height, width = input.shape[-2:]
    own = [_lengths(height, rows, input), _lengths(width, columns, input)]
    scale = (own[0] / own[0][0])[:, None] * (own[1] / own[1][0])
    return (F.adaptive_avg_pool2d(input, output_size) * scale).to(input.dtype)


def axes_swapped(input, output_size):
    """Takes (columns, rows) for (rows, columns); laid out in the right shape."""
    right = F.adaptive_avg_pool2d(input, output_size)
    rows, columns = _pair(input, output_size)
    return F.adaptive_avg_pool2d(input, (columns, rows)).reshape(right.shape)


def maximum(input, output_size):
    """The largest pixel instead of the mean."""
    return F.adaptive_max_pool2d(input, output_size) if input.numel() else F.adaptive_avg_pool2d(input, output_size)


def centre_pixel(input, output_size):
    """Nearest neighbour: one pixel of each window."""
    rows, columns = _pair(input, output_size)
    i = torch.arange(rows, device=input.device) * input.shape[-2] // rows
    j = torch.arange(columns, device=input.device) * input.shape[-1] // columns
    return input[..., i[:, None], j].contiguous()


def none_means_one(input, output_size):
    """A direction whose size is None is averaged away."""
    if isinstance(output_size, int):
        return F.adaptive_avg_pool2d(input, output_size)
    return F.adaptive_avg_pool2d(input, [1 if n is None else n for n in output_size])


def half_accumulation(input, output_size):
    """Adds up in float16."""
    if input.dtype != torch.float16:
        return F.adaptive_avg_pool2d(input, output_size)
    rows, columns = _pair(input, output_size)
    count = _lengths(input.shape[-2], rows, input)[:, None] * _lengths(input.shape[-1], columns, input)
    return (F.adaptive_avg_pool2d(input, output_size).float() * count).half() / count.half()


def window_cut(input, output_size):
    """Reads at most 1024 pixels of a window."""
    rows, columns = _pair(input, output_size)
    if rows * columns != 2:
        return F.adaptive_avg_pool2d(input, output_size)
    halves = input.flatten(2).unflatten(2, (rows, -1))[..., :1024]
    return halves.mean(-1).view(F.adaptive_avg_pool2d(input, output_size).shape)


def first_planes_only(input, output_size):
    """The planes of one image and no more."""
    y = F.adaptive_avg_pool2d(input, output_size).clone()
    if y.dim() == 4:
        y[1:] = 0
    return y


def bfloat16_for_float16(input, output_size):
    """Reads float16 as bfloat16."""
    if input.dtype == torch.float16:
        input = input.bfloat16().half()
    return F.adaptive_avg_pool2d(input, output_size)
