"""Sampling at the points of a grid: the PyTorch reference."""
import torch
import torch.nn.functional as F


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """torch's grid_sample."""
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def magnitude(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """How far rounding moves a result: its terms, and the position of its point times what lies around it.

    A position in pixels is rounded by some eps times its size; the judge multiplies what is returned by 16 eps.
    """
    pool = F.max_pool3d if input.dim() == 5 else F.max_pool2d
    around = pool(input.abs(), kernel_size=5, stride=1, padding=2)
    padding = "reflection" if padding_mode == "reflection" else "border"
    around = F.grid_sample(around, grid, mode="bilinear", padding_mode=padding, align_corners=align_corners)
    extent = torch.tensor(input.shape[2:][::-1], dtype=grid.dtype, device=grid.device)
    position = ((grid.abs() + 1) / 2 * extent).sum(-1).unsqueeze(1)
    return around * (1 + position / 4) * (2 if mode == "bicubic" else 1)


def domain(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """False where 'nearest' stands within 1e-3 of the middle between two pixels: rounding may go either way."""
    keep = torch.ones(grid.shape[:-1], dtype=torch.bool)
    if mode == "nearest":
        extent = torch.tensor(input.shape[2:][::-1], dtype=grid.dtype)
        pixel = (grid + 1) / 2 * (extent - 1) if align_corners else ((grid + 1) * extent - 1) / 2
        keep &= ((pixel - torch.floor(pixel) - 0.5).abs() > 1e-3).all(-1)
    return keep.unsqueeze(1).expand(-1, input.shape[1], *keep.shape[1:])
