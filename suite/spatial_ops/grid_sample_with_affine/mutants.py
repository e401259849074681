"""Wrong versions of grid_sample_with_affine, one fault each."""
import torch
import torch.nn.functional as F


def _sample(input, theta, size, mode, padding_mode, align_corners, grid_align=None):
    grid = F.affine_grid(theta, size, align_corners=align_corners if grid_align is None else grid_align)
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def ignores_theta(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Samples on the regular grid, whatever theta says."""
    identity = torch.eye(2, 3, dtype=theta.dtype, device=theta.device).expand_as(theta)
    return _sample(input, identity, size, mode, padding_mode, align_corners)


def first_theta_for_all(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Every image uses the matrix of image 0."""
    return _sample(input, theta[:1].expand_as(theta), size, mode, padding_mode, align_corners)


def never_aligns_corners(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """align_corners is ignored."""
    return _sample(input, theta, size, mode, padding_mode, False)


def grid_and_sampling_disagree(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """The grid is made with align_corners=False, the sampling with the value given."""
    return _sample(input, theta, size, mode, padding_mode, align_corners, grid_align=False)


def always_bilinear(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """mode is ignored."""
    return _sample(input, theta, size, "bilinear", padding_mode, align_corners)


def zeros_for_all_paddings(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """padding_mode is ignored."""
    return _sample(input, theta, size, mode, "zeros", align_corners)


def border_for_reflection(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Reflection is done as clamping."""
    return _sample(input, theta, size, mode, "border" if padding_mode == "reflection" else padding_mode, align_corners)


def transposes_theta_rows(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """x and y of the sampling points are exchanged."""
    return _sample(input, theta.flip(1), size, mode, padding_mode, align_corners)


def drops_the_translation(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """The last column of theta is not added."""
    linear = torch.cat([theta[:, :, :2], torch.zeros_like(theta[:, :, 2:])], 2)
    return _sample(input, linear, size, mode, padding_mode, align_corners)


def output_in_input_size(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """size is ignored: the result has the input's height and width."""
    return _sample(input, theta, list(input.shape), mode, padding_mode, align_corners)


def stops_at_65536(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Computes 65536 elements of the result and leaves the rest 0."""
    y = _sample(input, theta, size, mode, padding_mode, align_corners)
    y = y.contiguous().clone()
    y.view(-1)[65536:] = 0
    return y


def half_positions(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Keeps the sampling points in half precision."""
    grid = F.affine_grid(theta, size, align_corners=align_corners).half().to(input.dtype)
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)


def tf32_map(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Multiplies the affine map as TF32 does: 10 bits behind the point of theta, and of nothing else."""
    mantissa, exponent = torch.frexp(theta)
    theta = torch.ldexp(torch.round(mantissa * 2048) / 2048, exponent)
    return _sample(input, theta, size, mode, padding_mode, align_corners)


def half_images(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Reads the pixels in half precision."""
    return _sample(input.half().to(input.dtype), theta, size, mode, padding_mode, align_corners)


def coarse_positions(input, theta, size, mode="bilinear", padding_mode="zeros", align_corners=False):
    """Keeps the sampling points to 2^-17 of the image, in steps of 2^-16: some bits short of float32."""
    grid = torch.round(F.affine_grid(theta, size, align_corners=align_corners) * 2**16) / 2**16
    return F.grid_sample(input, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)
