"""Wrong versions of bmm_w8a8, one fault each."""
import torch


def _quantize(x, dim, top=127, rounding=torch.round):
    scale = x.abs().amax(dim, keepdim=True) / top
    return rounding(x / torch.where(scale > 0, scale, 1)).clamp(-top, top), scale


def _product(q, s, w, t):
    return ((q.double() @ w.double()) * s * t).float()


def _tf32(x):
    return ((x.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def plain_float(input, mat2):
    """No quantization at all."""
    return torch.bmm(input, mat2)


def bfloat16(input, mat2):
    """bfloat16 operands instead of int8."""
    return torch.bmm(input.bfloat16().float(), mat2.bfloat16().float())


def tf32(input, mat2):
    """TF32 operands (ten bits behind the point) instead of int8."""
    return torch.bmm(_tf32(input).double(), _tf32(mat2).double()).float()


def float8(input, mat2):
    """float8 (e4m3) operands with the right scales instead of int8."""
    def rounded(x, dim):
        scale = x.abs().amax(dim, keepdim=True) / 448
        scale = torch.where(scale > 0, scale, 1)
        return (x / scale).to(torch.float8_e4m3fn).to(x.dtype) * scale
    return torch.bmm(rounded(input, 2), rounded(mat2, 1))


def seven_bits(input, mat2):
    """Only 7 bits: integers in [-63, 63]."""
    return _product(*_quantize(input, 2, 63), *_quantize(mat2, 1, 63))


def scale_per_batch(input, mat2):
    """One scale for each batch instead of one per row and column."""
    return _product(*_quantize(input, (1, 2)), *_quantize(mat2, (1, 2)))


def scales_shared_by_batches(input, mat2):
    """Rows and columns share their scale with the other batches."""
    return _product(*_quantize(input, (0, 2)), *_quantize(mat2, (0, 1)))


def truncates(input, mat2):
    """Integers are truncated toward zero instead of rounded."""
    return _product(*_quantize(input, 2, rounding=torch.trunc), *_quantize(mat2, 1, rounding=torch.trunc))


def only_mat2(input, mat2):
    """Activations stay in float; only mat2 is quantized."""
    w, t = _quantize(mat2, 1)
    return torch.bmm(input, w) * t


def first_batch_of_mat2(input, mat2):
    """Every batch is multiplied by the first matrix of mat2."""
    return _product(*_quantize(input, 2), *_quantize(mat2[:1].expand_as(mat2), 1))


def divides_by_zero(input, mat2):
    """No guard against zeros: a batch of zeros gives NaN."""
    s, t = input.abs().amax(2, keepdim=True) / 127, mat2.abs().amax(1, keepdim=True) / 127
    return _product(torch.round(input / s), s, torch.round(mat2 / t), t)


def stops_at_65536(input, mat2):
    """Computes 65536 elements of the result and leaves the rest 0."""
    y = _product(*_quantize(input, 2), *_quantize(mat2, 1))
    y = y.contiguous().clone()
    y.view(-1)[65536:] = 0
    return y
