"""Reference of grid_sample_with_affine: affine_grid, then grid_sample."""
import torch
import torch.nn.functional as F


def grid_sample_with_affine(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    grid = F.affine_grid(theta, size, align_corners=align_corners)
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def domain(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """False where 'nearest' stands within 1e-3 of the middle between two pixels: rounding may go either way."""
    keep = torch.ones(size, dtype=torch.bool)
    if mode == "nearest":
        extent = torch.tensor([input.shape[3], input.shape[2]], dtype=theta.dtype)
        grid = F.affine_grid(theta, size, align_corners=align_corners)
        pixel = (grid + 1) / 2 * (extent - 1) if align_corners else ((grid + 1) * extent - 1) / 2
        away = ((pixel - torch.floor(pixel)) - 0.5).abs() > 1e-3
        keep &= away.all(-1).unsqueeze(1)
    return keep
