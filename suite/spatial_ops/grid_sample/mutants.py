"""Plausible wrong versions of grid_sample; each must be rejected."""
import torch
import torch.nn.functional as F


def never_aligns_corners(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """align_corners is ignored."""
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=False)


def always_aligns_corners(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """align_corners is ignored the other way."""
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=True)


def always_bilinear(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """mode is ignored."""
    return F.grid_sample(input, grid, padding_mode=padding_mode, align_corners=align_corners)


def zeros_for_all_paddings(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """padding_mode is ignored."""
    return F.grid_sample(input, grid, mode=mode, align_corners=align_corners)


def border_for_reflection(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Reflection is done as clamping."""
    padding_mode = "border" if padding_mode == "reflection" else padding_mode
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def reflects_once(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Coordinates far outside are reflected once, then clamped."""
    if padding_mode == "reflection" and not align_corners and mode != "bicubic":
        grid, padding_mode = torch.where(grid.abs() > 1, grid.sign() * (2 - grid.abs()), grid), "border"
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def clamps_for_zeros(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """A point outside the image is 0 as a whole, without its neighbours inside."""
    y = F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)
    if padding_mode != "zeros" or y.numel() == 0:
        return y
    outside = (grid.abs() > 1).any(-1).unsqueeze(1)
    return y.masked_fill(outside, 0)


def x_and_y_swapped(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Takes the first coordinate for the row."""
    grid = torch.cat([grid[..., :2].flip(-1), grid[..., 2:]], -1)
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def z_first(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Takes the coordinates of a volume in the order (z, y, x)."""
    grid = grid.flip(-1) if input.dim() == 5 else grid
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def first_grid_for_all(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Every image uses the points of image 0."""
    grid = grid[:1].expand_as(grid)
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def truncates(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Nearest by rounding down."""
    if mode != "nearest" or input.dim() != 4 or padding_mode != "zeros":
        return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)
    extent = torch.tensor([input.shape[3], input.shape[2]], dtype=grid.dtype, device=grid.device)
    step = 2 / (extent - 1) if align_corners else 2 / extent
    return F.grid_sample(input, grid - step / 2, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def bicubic_pads_the_point(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """With 'bicubic', clamps the sampling point instead of its neighbours."""
    if mode == "bicubic" and padding_mode == "border":
        grid = grid.clamp(-1, 1)
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def other_cubic(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """The cubic kernel of a = -0.5."""
    y = F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)
    if mode != "bicubic":
        return y
    linear = F.grid_sample(input, grid, mode="bilinear", padding_mode=padding_mode, align_corners=align_corners)
    return y * 2 / 3 + linear / 3


def half_positions(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Keeps the points in half precision."""
    grid = grid.half().to(grid.dtype)
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def coarse_positions(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Keeps the points to 2^-17 of the image, in steps of 2^-16: some bits short of float32."""
    grid = torch.round(grid * 2**16) / 2**16
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def one_block(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Computes 2048 points of an image and no more."""
    y = F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners).contiguous()
    y.flatten(2)[..., 2048:] = 0
    return y


def stops_at_65536(input, grid, mode="bilinear", padding_mode="zeros", align_corners=False):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners).contiguous()
    result.view(-1)[65536:] = 0
    return result
