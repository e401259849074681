"""Plausible wrong versions of interpolate; each must be rejected."""
import torch
import torch.nn.functional as F


def doubles(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Doubles whatever is asked for; cut or repeated to the right size."""
    right = F.interpolate(input, size, scale_factor, mode, align_corners)
    y = F.interpolate(input, scale_factor=2.0, mode=mode, align_corners=align_corners)
    for d in range(2, y.dim()):
        y = y.index_select(d, torch.arange(right.shape[d], device=y.device) % y.shape[d])
    return y


def never_aligns_corners(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """align_corners is ignored."""
    return F.interpolate(input, size, scale_factor, mode)


def always_aligns_corners(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """align_corners is ignored the other way."""
    aligns = None if mode in ("nearest", "nearest-exact", "area") else True
    return F.interpolate(input, size, scale_factor, mode, aligns)


def always_nearest(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """mode is ignored."""
    return F.interpolate(input, size, scale_factor)


def bilinear_for_bicubic(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """The cubic mode is done with two neighbours."""
    mode = "bilinear" if mode == "bicubic" else mode
    return F.interpolate(input, size, scale_factor, mode, align_corners)


def exact_for_nearest(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Takes the pixel nearest to the centre, as nearest-exact."""
    mode = "nearest-exact" if mode == "nearest" else mode
    return F.interpolate(input, size, scale_factor, mode, align_corners)


def nearest_for_exact(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Takes nearest-exact for nearest."""
    mode = "nearest" if mode == "nearest-exact" else mode
    return F.interpolate(input, size, scale_factor, mode, align_corners)


def antialiased(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Widens the kernel when the result is smaller."""
    if mode not in ("bilinear", "bicubic"):
        return F.interpolate(input, size, scale_factor, mode, align_corners)
    return F.interpolate(input, size, scale_factor, mode, align_corners, antialias=True)


def scale_from_sizes(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """With a factor that is not met exactly, positions follow the sizes."""
    right = F.interpolate(input, size, scale_factor, mode, align_corners)
    return F.interpolate(input, right.shape[2:], None, mode, align_corners)


def factors_swapped(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Takes the directions in reverse order; laid out in the right shape."""
    right = F.interpolate(input, size, scale_factor, mode, align_corners)
    size, scale_factor = (v[::-1] if isinstance(v, (list, tuple)) else v for v in (size, scale_factor))
    y = F.interpolate(input, size, scale_factor, mode, align_corners).reshape(-1)
    return y[torch.arange(right.numel(), device=right.device) % max(y.numel(), 1)].view(right.shape)


def area_by_equal_windows(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Averages windows of the size n // m; the rest is left out."""
    right = F.interpolate(input, size, scale_factor, mode, align_corners)
    if mode != "area" or input.dim() != 4:
        return right
    rows, columns = right.shape[2:]
    kernel = (max(input.shape[2] // rows, 1), max(input.shape[3] // columns, 1))
    return F.avg_pool2d(input, kernel)[..., :rows, :columns].contiguous()


def negative_positions(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Extends the first two pixels before the border instead of repeating the first."""
    right = F.interpolate(input, size, scale_factor, mode, align_corners)
    if mode != "linear" or align_corners or right.shape[-1] < 2:
        return right
    y, scale = right.clone(), input.shape[-1] / right.shape[-1]
    position = 0.5 * scale - 0.5
    if position < 0:
        y[..., 0] = input[..., 0] + position * (input[..., 1] - input[..., 0])
    return y


def half_weights(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Computes the weights of half precision in half precision."""
    if input.dtype != torch.float16 or mode != "bilinear":
        return F.interpolate(input, size, scale_factor, mode, align_corners)
    y = input
    for d in (2, 3):
        n, m = input.shape[d], size[d - 2]
        p = ((torch.arange(m, device=y.device) + 0.5) * (n / m) - 0.5).clamp(min=0).half()
        low = p.long().clamp(max=n - 1)
        weight = (p - low).view([-1 if k == d else 1 for k in range(4)])
        y = y.index_select(d, low) * (1 - weight) + y.index_select(d, (low + 1).clamp(max=n - 1)) * weight
    return y


def half_scale(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Computes positions from a scale in half precision."""
    right = F.interpolate(input, size, scale_factor, mode, align_corners)
    if mode not in ("bilinear", "bicubic") or align_corners or input.dtype != torch.float32:
        return right
    lengths = zip(input.shape[2:], right.shape[2:], strict=True)
    scales = [float(torch.tensor(m / n).half()) for n, m in lengths]
    if any(int(n * f) != m for n, f, m in zip(input.shape[2:], scales, right.shape[2:], strict=True)):
        return right
    return F.interpolate(input, None, scales, mode, False)


def one_block(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """Computes 2048 results of a plane and no more."""
    y = F.interpolate(input, size, scale_factor, mode, align_corners).contiguous()
    y.flatten(2)[..., 2048:] = 0
    return y


def stops_at_65536(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """The grid is cut at 64 blocks of 1024, and no block loops: nothing beyond 65536 elements is computed."""
    result = F.interpolate(input, size=size, scale_factor=scale_factor, mode=mode, align_corners=align_corners)
    result = result.contiguous()
    result.view(-1)[65536:] = 0
    return result
