"""Reference of grid_sample_with_affine: affine_grid, then grid_sample."""
import torch
import torch.nn.functional as F


def grid_sample_with_affine(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    grid = F.affine_grid(theta, size, align_corners=align_corners)
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def magnitude(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """How far float32 moves a right result, in units of 32 u: the judge multiplies by 16 eps = 32 u, u = 2^-24.

    Weights and sums: four terms in up to 6 roundings, 8 u of sum |weight v|. Cubic weights are polynomials with
    intermediate values up to 6, so their absolute errors count, up to 20 u each, 24 u for the four of a direction:
    64 u of the largest |v| around.
    Position: a base coordinate rounds by up to 5 u (a GPU's division: 4), products and sums by 3 u, the way to
    pixels and the reflection by 6 u, all of at most P = (|t0| + |t1| + |t2| + 1) W / 2 pixels. All at their worst
    and of one sign that is 14 u P; independent, as they are, 1.1 u P (rms). 8 u P is allowed, seven times that. It
    moves the result by 8 u P times the slope there: the larger of the secants to both sides, which bounds every
    movement below their reach if that holds one kink at most, and kinks are half a pixel apart. Both directions at
    once add terms in u^2, left out. 'nearest' copies.
    """
    if mode == "nearest":
        return input.new_zeros(size)
    grid = F.affine_grid(theta, size, align_corners=align_corners)
    options = {"padding_mode": padding_mode, "align_corners": align_corners}
    if mode == "bicubic":
        pool = F.max_pool2d(input.abs(), kernel_size=5, stride=1, padding=2)
        padding = "reflection" if padding_mode == "reflection" else "border"
        bound = 2 * F.grid_sample(pool, grid, padding_mode=padding, align_corners=align_corners)
    else:
        bound = F.grid_sample(input.abs(), grid, **options) / 4
    value, reach = F.grid_sample(input, grid, mode=mode, **options), 2**-10
    for d, length in enumerate(reversed(input.shape[2:])):
        pixels = length - 1 if align_corners else length
        shift = torch.zeros_like(grid)
        shift[..., d] = reach * 2 / max(pixels, 1)
        sides = [(F.grid_sample(input, grid + s, mode=mode, **options) - value).abs() for s in (shift, -shift)]
        position = (theta[:, d].abs().sum(-1) + 1) / 2 * pixels
        bound += torch.maximum(*sides) / reach * position.view(-1, 1, 1, 1) / 4
    return bound


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
