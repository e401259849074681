"""Wrong versions of matrix_vector_dot, one fault each."""
import torch


def _update(A, x, y, alpha, beta):
    return alpha * torch.mv(A, x) + beta * y


def leaves_y(A, x, y, alpha, beta):
    """The right dot product, but y keeps its old contents."""
    return torch.dot(_update(A, x, y, alpha, beta), x)


def dots_the_old_y(A, x, y, alpha, beta):
    """The dot product uses y as it was before the update."""
    result = torch.dot(y, x)
    y.copy_(_update(A, x, y, alpha, beta))
    return result


def transposes_a(A, x, y, alpha, beta):
    """Multiplies with the transpose of A."""
    y.copy_(_update(A.T, x, y, alpha, beta))
    return torch.dot(y, x)


def ignores_beta(A, x, y, alpha, beta):
    """The old y is not added."""
    y.copy_(_update(A, x, y, alpha, 0.0))
    return torch.dot(y, x)


def alpha_scales_everything(A, x, y, alpha, beta):
    """alpha multiplies the old y too."""
    y.copy_(alpha * (torch.mv(A, x) + beta * y))
    return torch.dot(y, x)


def tf32_products(A, x, y, alpha, beta):
    """Operands of A x are cut to the 10 mantissa bits of TF32."""
    def cut(t):
        return ((t.float().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32).to(t.dtype)
    y.copy_(_update(cut(A.contiguous()), cut(x.contiguous()), y, alpha, beta))
    return torch.dot(y, x)


def shape_of_one(A, x, y, alpha, beta):
    """The result has shape (1,) instead of ()."""
    y.copy_(_update(A, x, y, alpha, beta))
    return torch.dot(y, x).view(1)


def first_block_only(A, x, y, alpha, beta):
    """Only the first 64 rows are updated and summed."""
    y[:64] = _update(A, x, y, alpha, beta)[:64]
    return torch.dot(y[:64], x[:64])
