"""Resizing along one, two or three dimensions: the PyTorch reference."""
import torch.nn.functional as F


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """torch's interpolate."""
    return F.interpolate(input, size=size, scale_factor=scale_factor, mode=mode, align_corners=align_corners)


def magnitude(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """How far rounding moves a result: its terms, and its position in pixels times what lies around it."""
    if mode in ("nearest", "nearest-exact", "area"):
        return F.interpolate(input.abs(), size, scale_factor, mode)
    pool = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[input.dim() - 3]
    around = pool(input.abs(), kernel_size=5, stride=1, padding=2)
    around = F.interpolate(around, size, scale_factor, mode.replace("bicubic", "bilinear"), align_corners)
    return around * (1 + sum(input.shape[2:]) / 4) * (2 if mode == "bicubic" else 1)
