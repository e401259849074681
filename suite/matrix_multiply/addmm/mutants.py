"""Wrong versions of addmm, one fault each."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def beta_zero_multiplies(input, mat1, mat2, beta=1, alpha=1, out=None):
    """beta = 0 still multiplies: 0 * NaN is NaN."""
    return _give(beta * input + alpha * torch.mm(mat1, mat2), out)


def beta_ignored(input, mat1, mat2, beta=1, alpha=1, out=None):
    """input is added as it is."""
    return _give(torch.addmm(input, mat1, mat2, alpha=alpha), out)


def alpha_ignored(input, mat1, mat2, beta=1, alpha=1, out=None):
    """The product is not scaled."""
    return _give(torch.addmm(input, mat1, mat2, beta=beta), out)


def alpha_scales_everything(input, mat1, mat2, beta=1, alpha=1, out=None):
    """alpha multiplies input too."""
    return _give(torch.addmm(input, mat1, mat2, beta=alpha * beta, alpha=alpha), out)


def scalars_swapped(input, mat1, mat2, beta=1, alpha=1, out=None):
    """beta scales the product, alpha the input."""
    return _give(torch.addmm(input, mat1, mat2, beta=alpha, alpha=beta), out)


def input_not_broadcast(input, mat1, mat2, beta=1, alpha=1, out=None):
    """A row vector is added to the first row only."""
    shape = (mat1.shape[0], mat2.shape[1])
    added = torch.zeros(shape, dtype=mat1.dtype, device=mat1.device)
    if input.dim() == 2:
        added.copy_(input)
    elif shape[0]:
        added[0] = input
    return _give(torch.addmm(added, mat1, mat2, beta=beta, alpha=alpha), out)


def tf32_products(input, mat1, mat2, beta=1, alpha=1, out=None):
    """Operands are rounded to the 10 mantissa bits of TF32, as tl.dot does by default."""
    def cut(x):
        x = x.contiguous()
        return ((x.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32) if x.dtype == torch.float32 else x
    return _give(torch.addmm(input, cut(mat1), cut(mat2), beta=beta, alpha=alpha), out)


def goes_through_float16(input, mat1, mat2, beta=1, alpha=1, out=None):
    """float32 operands are staged in float16."""
    product = torch.mm(mat1.half(), mat2.half()).to(mat1.dtype)
    return _give(alpha * product if beta == 0 else beta * input + alpha * product, out)


def accumulates_in_half(input, mat1, mat2, beta=1, alpha=1, out=None):
    """Partial sums over 16 terms are added up in the operands' dtype; right for float32 only."""
    if mat1.dtype == torch.float32:
        return _give(torch.addmm(input, mat1, mat2, beta=beta, alpha=alpha), out)
    total = torch.zeros((), dtype=mat1.dtype, device=mat1.device)
    for k in range(0, mat1.shape[1], 16):
        total = total + torch.mm(mat1[:, k:k + 16], mat2[k:k + 16])
    return _give(beta * input + alpha * total, out)


def drops_the_last_block(input, mat1, mat2, beta=1, alpha=1, out=None):
    """The K loop runs K // 32 times, so a ragged end is never added."""
    k = mat1.shape[1] // 32 * 32
    return _give(torch.addmm(input, mat1[:, :k], mat2[:k], beta=beta, alpha=alpha), out)


def out_not_written(input, mat1, mat2, beta=1, alpha=1, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.addmm(input, mat1, mat2, beta=beta, alpha=alpha)


def out_as_input(input, mat1, mat2, beta=1, alpha=1, out=None):
    """Adds what out held before, too."""
    result = torch.addmm(input, mat1, mat2, beta=beta, alpha=alpha)
    return result if out is None else out.add_(result)


def out_in_float32_only(input, mat1, mat2, beta=1, alpha=1, out=None):
    """Half precision and float64 take a way of their own, which forgets out."""
    y = torch.addmm(input, mat1, mat2, beta=beta, alpha=alpha)
    return y if out is None or input.dtype != torch.float32 else out.copy_(y)
