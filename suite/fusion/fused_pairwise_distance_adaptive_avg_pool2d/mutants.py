"""Plausible wrong distances of pooled images; each must be rejected."""
import torch
import torch.nn.functional as F


def _difference(x1, x2, output_size):
    return F.adaptive_avg_pool2d(x1, output_size) - F.adaptive_avg_pool2d(x2, output_size)


def _norm(difference, p, keepdim):
    return torch.linalg.vector_norm(difference, ord=p, dim=(1, 2, 3), keepdim=keepdim)


def no_pooling(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """The norm of the difference of the images as they are."""
    return _norm(x1 - x2, p, keepdim) + eps


def distance_before_pooling(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Pools the absolute differences."""
    return _norm(F.adaptive_avg_pool2d((x1 - x2).abs(), output_size), p, keepdim) + eps


def maximum_pooling(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Takes the maximum of the window."""
    if not isinstance(output_size, int):
        output_size = tuple(s or x1.shape[k - 2] for k, s in enumerate(output_size))
    difference = F.adaptive_max_pool2d(x1, output_size) - F.adaptive_max_pool2d(x2, output_size)
    return _norm(difference, p, keepdim) + eps


def p_ignored(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Always the Euclidean norm."""
    return _norm(_difference(x1, x2, output_size), 2.0, keepdim) + eps


def one_or_two(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Knows p = 1 and takes everything else for 2."""
    return _norm(_difference(x1, x2, output_size), 1.0 if p == 1.0 else 2.0, keepdim) + eps


def signed_powers(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Forgets the absolute value: differences of both signs cancel for odd p."""
    d = _difference(x1, x2, output_size)
    if p not in (1.0, 3.0):
        return _norm(d, p, keepdim) + eps
    total = (d ** p).sum((1, 2, 3), keepdim=keepdim)
    return total.sign() * total.abs() ** (1 / p) + eps


def root_forgotten(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """The sum of the powers, without the root."""
    return _norm(_difference(x1, x2, output_size), p, keepdim) ** p + eps


def mean_of_powers(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Divides by the number of positions before the root."""
    d = _difference(x1, x2, output_size)
    return _norm(d, p, keepdim) / max(d[:1].numel(), 1) ** (1 / p) + eps


def eps_ignored(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Adds nothing."""
    return _norm(_difference(x1, x2, output_size), p, keepdim)


def eps_in_the_difference(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Adds eps to every difference, as torch's pairwise_distance does."""
    return _norm(_difference(x1, x2, output_size) + eps, p, keepdim)


def eps_as_a_floor(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Holds the distance at eps or above."""
    return _norm(_difference(x1, x2, output_size), p, keepdim).clamp_min(eps)


def eps_under_the_root(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Adds eps to the sum, before the root."""
    if p == float("inf"):
        return _norm(_difference(x1, x2, output_size), p, keepdim) + eps
    return (_norm(_difference(x1, x2, output_size), p, keepdim) ** p + eps) ** (1 / p)


def keepdim_ignored(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Never keeps the reduced dimensions."""
    return _norm(_difference(x1, x2, output_size), p, False) + eps


def keepdim_keeps_one(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Keeps one dimension instead of three."""
    result = _norm(_difference(x1, x2, output_size), p, False) + eps
    return result.unsqueeze(1) if keepdim else result


def over_the_last_dimension(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """A distance for every row of every channel."""
    return torch.linalg.vector_norm(_difference(x1, x2, output_size), ord=p, dim=-1, keepdim=keepdim) + eps


def all_pairs(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Compares every image of x1 with every image of x2."""
    a = F.adaptive_avg_pool2d(x1, output_size).unsqueeze(1)
    d = a - F.adaptive_avg_pool2d(x2, output_size).unsqueeze(0)
    return torch.linalg.vector_norm(d, ord=p, dim=(2, 3, 4), keepdim=keepdim) + eps


def first_channel_only(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Leaves the other channels out."""
    return _norm(_difference(x1, x2, output_size)[:, :1], p, keepdim) + eps


def first_positions_only(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """One block of 1024 positions and no loop."""
    d = _difference(x1, x2, output_size).flatten(1)[:, :1024]
    return _norm(d.unsqueeze(-1).unsqueeze(-1), p, keepdim) + eps


def first_images_only(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """A grid without the batch: every image gets the result of the first."""
    result = _norm(_difference(x1, x2, output_size), p, keepdim) + eps
    return result[:1].expand_as(result).contiguous() if result.shape[0] > 0 else result


def floor_windows(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Ends a window at floor((i + 1) H / rows): misses the overlap of uneven windows."""
    d = _difference(x1, x2, output_size)
    whole, (rows, columns), (height, width) = x1 - x2, d.shape[-2:], x1.shape[-2:]
    for i in range(rows):
        top = i * height // rows
        bottom = max((i + 1) * height // rows, top + 1)
        for j in range(columns):
            left = j * width // columns
            right = max((j + 1) * width // columns, left + 1)
            d[..., i, j] = whole[..., top:bottom, left:right].mean(dim=(-2, -1))
    return _norm(d, p, keepdim) + eps


def low_precision(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Rounds float32 inputs to bfloat16."""
    return _norm(_difference(x1.bfloat16().to(x1.dtype), x2.bfloat16().to(x2.dtype), output_size), p, keepdim) + eps


def reads_65536(x1, x2, output_size, p=2.0, eps=1e-06, keepdim=False):
    """Reads 65536 elements of each batch and takes the rest for 0."""
    x1, x2 = x1.contiguous().clone(), x2.contiguous().clone()
    x1.view(-1)[65536:] = x2.view(-1)[65536:] = 0
    return _norm(_difference(x1, x2, output_size), p, keepdim) + eps
