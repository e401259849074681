"""Resizing along one, two or three dimensions: the PyTorch reference."""
import torch
import torch.nn.functional as F


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """torch's interpolate."""
    return F.interpolate(input, size=size, scale_factor=scale_factor, mode=mode, align_corners=align_corners)


def magnitude(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """How far float32 moves a right result, in units of 32 u: the judge multiplies by 16 eps = 32 u, u = 2^-24.

    Weights and sums: up to eight terms in up to 12 roundings, 16 u of sum |weight v|. Cubic weights are
    polynomials with intermediate values up to 6, so their absolute errors count, up to 20 u each, 24 u for the
    four of a direction: 64 u of the largest |v| around.
    Position: the scale and (i + 0.5) scale - 0.5 round up to 6 times, each by u of at most P = (i + 0.5) scale
    pixels. That moves the result by 8 u P times the slope there: the larger of the secants to both sides, which
    bounds every movement below their reach if that holds one kink at most, and kinks are a pixel apart. Both
    directions at once add terms in u^2, left out. 'area' sums its window, 'nearest' copies.
    """
    y = interpolate(input, size, scale_factor, mode, align_corners)
    if mode in ("nearest", "nearest-exact"):
        return torch.zeros_like(y)
    if mode == "area":
        return interpolate(input.abs(), size, scale_factor, mode)
    bound = interpolate(input.abs(), size, scale_factor, mode.replace("bicubic", "bilinear"), align_corners) / 2
    if mode == "bicubic":
        pool = F.max_pool2d(input.abs(), kernel_size=5, stride=1, padding=2)
        bound = 2 * interpolate(pool, size, scale_factor, "bilinear", align_corners)
    lengths, reach = input.shape[2:], 2**-10
    factors = scale_factor if isinstance(scale_factor, (list, tuple)) else [scale_factor] * len(lengths)
    positions = []
    for n, m, factor in zip(lengths, y.shape[2:], factors, strict=True):
        i = torch.arange(m, dtype=input.dtype, device=input.device)
        scale = n / m if factor is None else 1 / factor
        positions.append(i * ((n - 1) / max(m - 1, 1)) if align_corners else (i + 0.5) * scale - 0.5)
    value = at(input, positions, mode)
    for d, position in enumerate(positions):
        sides = [positions[:d] + [position + s] + positions[d + 1 :] for s in (reach, -reach)]
        sides = [(at(input, side, mode) - value).abs() for side in sides]
        weight = (position + 0.5).view([-1 if k == d else 1 for k in range(len(lengths))])
        bound += torch.maximum(*sides) / reach * weight / 4
    return bound


def at(input, positions, mode):
    """The input at pixels' positions, one row a direction, beyond the border the last pixel."""
    n = input.shape[2:]
    points = [2 * p / max(length - 1, 1) - 1 for p, length in zip(positions, n, strict=True)]
    if len(n) == 1:
        input, points = input.unsqueeze(2), [torch.zeros_like(points[0][:1]), *points]
    grid = torch.stack(torch.meshgrid(*points, indexing="ij")[::-1], -1)
    planes = input.reshape(1, -1, *input.shape[2:])
    mode = "bicubic" if mode == "bicubic" else "bilinear"
    y = F.grid_sample(planes, grid.unsqueeze(0), mode=mode, padding_mode="border", align_corners=True)
    return y.view(*input.shape[:2], *(len(p) for p in positions))
