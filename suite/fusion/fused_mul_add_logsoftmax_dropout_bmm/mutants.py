"""Plausible wrong versions of multiply, add, log-softmax, dropout and product; each must be rejected."""
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


def not_scaled(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Survivors are not divided by 1 - p."""
    x = F.log_softmax(input1 * input2 + other, dim)
    d = F.dropout(x, p, training)
    return _give(torch.bmm(d * (1 - p) if training else d, mat2), out)


def training_ignored(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Drops in evaluation mode too."""
    x = F.log_softmax(input1 * input2 + other, dim)
    return _give(torch.bmm(F.dropout(x, p), mat2), out)


def never_drops(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Scales but keeps every element."""
    x = F.log_softmax(input1 * input2 + other, dim)
    return _give(torch.bmm(x / (1 - p) if training and p < 1 else x, mat2), out)


def drops_the_complement(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Keeps with probability p instead of dropping with it."""
    x = F.log_softmax(input1 * input2 + other, dim)
    if not training or p in (0.0, 1.0) or x.numel() == 0:
        return _give(torch.bmm(F.dropout(x, p, training), mat2), out)
    return _give(torch.bmm(_masked(x, torch.rand(x.shape, device=x.device) < p, p), mat2), out)


def same_mask_every_call(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """The seed is a constant: every call drops the same elements."""
    x = F.log_softmax(input1 * input2 + other, dim)
    if not training or p in (0.0, 1.0) or x.numel() == 0:
        return _give(torch.bmm(F.dropout(x, p, training), mat2), out)
    generator = torch.Generator(device=x.device).manual_seed(0)
    keep = torch.rand(x.shape, device=x.device, generator=generator) >= p
    return _give(torch.bmm(_masked(x, keep, p), mat2), out)


def one_mask_for_all_batches(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """The counter starts anew in every batch."""
    x = F.log_softmax(input1 * input2 + other, dim)
    if not training or p in (0.0, 1.0) or x.numel() == 0:
        return _give(torch.bmm(F.dropout(x, p, training), mat2), out)
    keep = (torch.rand(x.shape[1:], device=x.device) >= p).expand(x.shape)
    return _give(torch.bmm(_masked(x, keep, p), mat2), out)


def one_mask_for_all_tiles(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Every tile of 64 rows counts from 0: its mask is that of the first tile of its batch."""
    x = F.log_softmax(input1 * input2 + other, dim)
    if not training or p in (0.0, 1.0) or x.numel() == 0:
        return _give(torch.bmm(F.dropout(x, p, training), mat2), out)
    at = torch.arange(x.shape[1], device=x.device) % 64
    keep = (torch.rand((x.shape[0], 64, x.shape[2]), device=x.device) >= p)[:, at]
    return _give(torch.bmm(_masked(x, keep, p), mat2), out)


def one_draw_a_row(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Drops whole rows."""
    x = F.log_softmax(input1 * input2 + other, dim)
    if not training or p in (0.0, 1.0) or x.numel() == 0:
        return _give(torch.bmm(F.dropout(x, p, training), mat2), out)
    keep = torch.rand(x.shape[:-1] + (1,), device=x.device) >= p
    return _give(torch.bmm(_masked(x, keep, p), mat2), out)


def dropout_of_the_result(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Drops elements of the product instead of its terms."""
    x = F.log_softmax(input1 * input2 + other, dim)
    return _give(F.dropout(torch.bmm(x, mat2), p, training), out)


def dim_ignored(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Normalizes along the last dimension whatever dim says."""
    x = F.log_softmax(input1 * input2 + other, -1)
    return _give(torch.bmm(F.dropout(x, p, training), mat2), out)


def add_before_mul(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """input1 * (input2 + other)."""
    x = F.log_softmax(input1 * (input2 + other), dim)
    return _give(torch.bmm(F.dropout(x, p, training), mat2), out)


def other_ignored(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Never adds other."""
    x = F.log_softmax(input1 * input2, dim)
    return _give(torch.bmm(F.dropout(x, p, training), mat2), out)


def no_logarithm(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Softmax."""
    x = F.softmax(input1 * input2 + other, dim)
    return _give(torch.bmm(F.dropout(x, p, training), mat2), out)


def no_max_subtraction(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Exponentiates the values as they are."""
    z = input1 * input2 + other
    x = z - torch.log(torch.exp(z).sum(dim, keepdim=True))
    return _give(torch.bmm(F.dropout(x, p, training), mat2), out)


def mat2_transposed(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Multiplies with the transpose where that fits."""
    x = F.log_softmax(input1 * input2 + other, dim)
    d = F.dropout(x, p, training)
    square = mat2.shape[1] == mat2.shape[2]
    return _give(torch.bmm(d, mat2.transpose(1, 2) if square else mat2), out)


def tf32_operands(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Rounds float32 operands to TF32, Triton's default for tl.dot."""
    x = F.log_softmax(input1 * input2 + other, dim)
    return _give(torch.bmm(_tf32(F.dropout(x, p, training)), _tf32(mat2)), out)


def first_block_of_terms(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """One block of 1024 terms and no loop."""
    x = F.log_softmax(input1 * input2 + other, dim)
    d = F.dropout(x, p, training)
    return _give(torch.bmm(d[..., :1024], mat2[:, :1024]), out)


def operands_read_cyclically(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Indexes smaller operands modulo their length instead of broadcasting them."""
    shape = input1.shape
    at = torch.arange(shape.numel(), device=input1.device)

    def read(v):
        tensor = isinstance(v, torch.Tensor) and v.numel() > 0
        return v.reshape(-1)[at % v.numel()].view(shape) if tensor else v
    x = F.log_softmax(input1 * read(input2) + read(other), dim)
    return _give(torch.bmm(F.dropout(x, p, training), mat2), out)


def out_not_written(input1, input2, other, mat2, p=0.5, training=True, inplace=False, dim=-1, *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    x = F.log_softmax(input1 * input2 + other, dim)
    return torch.bmm(F.dropout(x, p, training), mat2)
