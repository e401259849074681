"""Sampling at the points of a grid: the PyTorch reference."""
import torch
import torch.nn.functional as F


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """torch's grid_sample."""
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def magnitude(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """How far float32 moves a right result, in units of 32 u: the judge multiplies by 16 eps = 32 u, u = 2^-24.

    Weights and sums: four or eight terms in up to 12 roundings, 16 u of sum |weight v|. Cubic weights are
    polynomials with intermediate values up to 6, so their absolute errors count, up to 20 u each, 24 u for the
    four of a direction: 64 u of the largest |v| around.
    Position: ((x + 1) W - 1) / 2 and its reflection round up to 8 times, each by u of at most P = (|x| + 1) W / 2
    pixels. That moves the result by 8 u P times the slope there: the larger of the secants to both sides, which
    bounds every movement below their reach if that holds one kink at most, and kinks are half a pixel apart. Both
    directions at once add terms in u^2, left out. 'nearest' copies.
    """
    if mode == "nearest":
        return torch.zeros_like(grid_sample(input, grid, mode, padding_mode, align_corners))
    options = {"padding_mode": padding_mode, "align_corners": align_corners}
    if mode == "bicubic":
        pool = F.max_pool2d(input.abs(), kernel_size=5, stride=1, padding=2)
        padding = "reflection" if padding_mode == "reflection" else "border"
        bound = 2 * F.grid_sample(pool, grid, padding_mode=padding, align_corners=align_corners)
    else:
        bound = F.grid_sample(input.abs(), grid, **options) / 2
    value, reach = F.grid_sample(input, grid, mode=mode, **options), 2**-10
    for d, length in enumerate(reversed(input.shape[2:])):
        pixels = length - 1 if align_corners else length
        shift = torch.zeros_like(grid)
        shift[..., d] = reach * 2 / max(pixels, 1)
        sides = [(F.grid_sample(input, grid + s, mode=mode, **options) - value).abs() for s in (shift, -shift)]
        position = (grid[..., d].abs() + 1) / 2 * pixels
        bound += torch.maximum(*sides) / reach * position.unsqueeze(1) / 4
    return bound


def domain(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """False where 'nearest' stands within 1e-3 of the middle between two pixels: rounding may go either way."""
    keep = torch.ones(grid.shape[:-1], dtype=torch.bool)
    if mode == "nearest":
        extent = torch.tensor(input.shape[2:][::-1], dtype=grid.dtype)
        pixel = (grid + 1) / 2 * (extent - 1) if align_corners else ((grid + 1) * extent - 1) / 2
        keep &= ((pixel - torch.floor(pixel) - 0.5).abs() > 1e-3).all(-1)
    return keep.unsqueeze(1).expand(-1, input.shape[1], *keep.shape[1:])
