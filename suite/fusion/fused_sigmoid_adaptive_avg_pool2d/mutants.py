"""Plausible wrong implementations of adaptive average pooling with sigmoid; each must be rejected."""
import torch
import torch.nn.functional as F


def sigmoid_first(input, output_size):
    """Averages the sigmoids instead of taking the sigmoid of the average."""
    return F.adaptive_avg_pool2d(torch.sigmoid(input), output_size)


def no_sigmoid(input, output_size):
    """Pools only."""
    return F.adaptive_avg_pool2d(input, output_size)


def maximum(input, output_size):
    """Takes the maximum of the window."""
    return torch.sigmoid(F.adaptive_max_pool2d(input, output_size))


def sum_not_average(input, output_size):
    """Forgets to divide by the window's size."""
    pooled = F.adaptive_avg_pool2d(input, output_size)
    share = input.shape[-1] * input.shape[-2] / max(pooled.shape[-1] * pooled.shape[-2], 1)
    return torch.sigmoid(pooled * share)


def floor_windows(input, output_size):
    """Ends a window at floor((i + 1) H / rows): misses the overlap of uneven windows."""
    pooled = F.adaptive_avg_pool2d(input, output_size)
    rows, columns = pooled.shape[-2:]
    height, width = input.shape[-2:]
    result = torch.empty_like(pooled)
    for i in range(rows):
        top = i * height // rows
        bottom = max((i + 1) * height // rows, top + 1)
        for j in range(columns):
            left = j * width // columns
            right = max((j + 1) * width // columns, left + 1)
            result[..., i, j] = input[..., top:bottom, left:right].mean(dim=(-2, -1))
    return torch.sigmoid(result)


def axes_swapped(input, output_size):
    """Pools rows to the number of columns and the other way round."""
    if isinstance(output_size, int):
        return torch.sigmoid(F.adaptive_avg_pool2d(input, output_size))
    right = F.adaptive_avg_pool2d(input, output_size)
    wrong = F.adaptive_avg_pool2d(input, tuple(output_size)[::-1])
    return torch.sigmoid(wrong.transpose(-1, -2).contiguous() if wrong.shape != right.shape else wrong)


def tanh_form(input, output_size):
    """tanh instead of the logistic function."""
    return torch.tanh(F.adaptive_avg_pool2d(input, output_size))


def first_images_only(input, output_size):
    """A grid without the batch: every image gets the result of the first."""
    result = torch.sigmoid(F.adaptive_avg_pool2d(input, output_size))
    return result[:1].expand_as(result).contiguous() if result.dim() == 4 and result.shape[0] > 0 else result


def stops_at_65536(input, output_size):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = F.adaptive_avg_pool2d(torch.sigmoid(input), output_size).contiguous()
    result.view(-1)[65536:] = 0
    return result
