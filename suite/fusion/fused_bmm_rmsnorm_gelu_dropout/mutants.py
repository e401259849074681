"""Plausible wrong versions of the product, RMS normalization, GELU and dropout; each must be rejected."""
import torch
import torch.nn.functional as F


def _give(result, out):
    return result if out is None else out.copy_(result)


def _tf32(x):
    if x.dtype != torch.float32:
        return x
    return ((x.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)


def _masked(x, keep, p):
    return torch.where(keep, x / (1 - p), torch.zeros_like(x))


def _rms(z, eps):
    return F.rms_norm(z, z.shape[-1:], eps=eps)


def not_scaled(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Survivors are not divided by 1 - p."""
    x = F.gelu(_rms(torch.bmm(input1, input2), eps), approximate=approximate)
    d = F.dropout(x, dropout_p, training)
    return _give(d * (1 - dropout_p) if training else d, out)


def training_ignored(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Drops in evaluation mode too."""
    x = F.gelu(_rms(torch.bmm(input1, input2), eps), approximate=approximate)
    return _give(F.dropout(x, dropout_p), out)


def never_drops(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Scales but keeps every element."""
    x = F.gelu(_rms(torch.bmm(input1, input2), eps), approximate=approximate)
    return _give(x / (1 - dropout_p) if training and dropout_p < 1 else x, out)


def drops_the_complement(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Keeps with probability p instead of dropping with it."""
    x = F.gelu(_rms(torch.bmm(input1, input2), eps), approximate=approximate)
    if not training or dropout_p in (0.0, 1.0) or x.numel() == 0:
        return _give(F.dropout(x, dropout_p, training), out)
    return _give(_masked(x, torch.rand(x.shape, device=x.device) < dropout_p, dropout_p), out)


def same_mask_every_call(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """The seed is a constant: every call drops the same elements."""
    x = F.gelu(_rms(torch.bmm(input1, input2), eps), approximate=approximate)
    if not training or dropout_p in (0.0, 1.0) or x.numel() == 0:
        return _give(F.dropout(x, dropout_p, training), out)
    generator = torch.Generator(device=x.device).manual_seed(0)
    keep = torch.rand(x.shape, device=x.device, generator=generator) >= dropout_p
    return _give(_masked(x, keep, dropout_p), out)


def one_mask_for_all_batches(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """The counter starts anew in every batch."""
    x = F.gelu(_rms(torch.bmm(input1, input2), eps), approximate=approximate)
    if not training or dropout_p in (0.0, 1.0) or x.numel() == 0:
        return _give(F.dropout(x, dropout_p, training), out)
    keep = (torch.rand(x.shape[1:], device=x.device) >= dropout_p).expand(x.shape)
    return _give(_masked(x, keep, dropout_p), out)


def one_mask_for_all_tiles(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Every tile of 64 rows counts from 0: its mask is that of the first tile of its batch."""
    x = F.gelu(_rms(torch.bmm(input1, input2), eps), approximate=approximate)
    if not training or dropout_p in (0.0, 1.0) or x.numel() == 0:
        return _give(F.dropout(x, dropout_p, training), out)
    at = torch.arange(x.shape[1], device=x.device) % 64
    keep = (torch.rand((x.shape[0], 64, x.shape[2]), device=x.device) >= dropout_p)[:, at]
    return _give(_masked(x, keep, dropout_p), out)


def one_draw_a_row(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Drops whole rows."""
    x = F.gelu(_rms(torch.bmm(input1, input2), eps), approximate=approximate)
    if not training or dropout_p in (0.0, 1.0) or x.numel() == 0:
        return _give(F.dropout(x, dropout_p, training), out)
    keep = torch.rand(x.shape[:-1] + (1,), device=x.device) >= dropout_p
    return _give(_masked(x, keep, dropout_p), out)


def gelu_before_norm(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Activates the product and normalizes afterwards."""
    x = _rms(F.gelu(torch.bmm(input1, input2), approximate=approximate), eps)
    return _give(F.dropout(x, dropout_p, training), out)


def no_norm(input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None):
    """Leaves the normalization out."""
    x = F.gelu(torch.bmm(input1, input2), approximate=approximate)
    return _give(F.dropout(x, dropout_p, training), out)


def no_gelu(input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None):
    """Leaves the activation out."""
    x = _rms(torch.bmm(input1, input2), eps)
    return _give(F.dropout(x, dropout_p, training), out)


def layer_norm(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Subtracts the mean too."""
    z = torch.bmm(input1, input2)
    x = F.gelu(F.layer_norm(z, z.shape[-1:], eps=eps), approximate=approximate)
    return _give(F.dropout(x, dropout_p, training), out)


def eps_ignored(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Always 1e-5."""
    x = F.gelu(_rms(torch.bmm(input1, input2), 1e-5), approximate=approximate)
    return _give(F.dropout(x, dropout_p, training), out)


def eps_outside_the_root(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Divides by sqrt(mean square) + eps."""
    z = torch.bmm(input1, input2)
    x = F.gelu(z / (z.square().mean(-1, keepdim=True).sqrt() + eps), approximate=approximate)
    return _give(F.dropout(x, dropout_p, training), out)


def norm_over_a_tile(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Takes the mean square over tiles of 64 columns."""
    z = torch.bmm(input1, input2)
    x = F.gelu(torch.cat([_rms(part, eps) for part in z.split(64, -1)], -1), approximate=approximate)
    return _give(F.dropout(x, dropout_p, training), out)


def divides_by_padded_length(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Divides the squares by the power-of-two block size."""
    z = torch.bmm(input1, input2)
    n = 1 << max(z.shape[-1] - 1, 0).bit_length()
    x = F.gelu(z / torch.sqrt(z.square().sum(-1, keepdim=True) / n + eps), approximate=approximate)
    return _give(F.dropout(x, dropout_p, training), out)


def squares_in_half(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Squares half precision without widening it: they overflow."""
    z = torch.bmm(input1, input2)
    x = F.gelu(z / torch.sqrt((z * z).mean(-1, keepdim=True) + eps), approximate=approximate)
    return _give(F.dropout(x, dropout_p, training), out)


def tanh_for_erf(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Uses the tanh form whatever is asked for."""
    x = F.gelu(_rms(torch.bmm(input1, input2), eps), approximate="tanh")
    return _give(F.dropout(x, dropout_p, training), out)


def erf_for_tanh(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Uses the exact form whatever is asked for."""
    x = F.gelu(_rms(torch.bmm(input1, input2), eps))
    return _give(F.dropout(x, dropout_p, training), out)


def tf32_operands(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    x = F.gelu(_rms(torch.bmm(_tf32(input1), _tf32(input2)), eps), approximate=approximate)
    return _give(F.dropout(x, dropout_p, training), out)


def out_not_written(
    input1, input2, normalized_shape, dropout_p=0.1, eps=1e-05, training=True, approximate="none", *, out=None
):
    """Returns a fresh tensor and leaves out as it was."""
    x = F.gelu(_rms(torch.bmm(input1, input2), eps), approximate=approximate)
    return _give(F.dropout(x, dropout_p, training), None)
