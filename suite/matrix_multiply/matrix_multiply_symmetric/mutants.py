"""Wrong versions of matrix_multiply_symmetric, one fault each."""
import torch


def _cut_to_tf32(x):
    return ((x.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def _x(A, B, C, alpha, beta):
    return alpha * torch.mm(A, B) + beta * C


def first_product_only(A, B, C, alpha, beta):
    """Stops at X."""
    return _x(A, B, C, alpha, beta)


def no_transpose(A, B, C, alpha, beta):
    """X X instead of X X^T."""
    X = _x(A, B, C, alpha, beta)
    return alpha * torch.mm(X, X) + beta * X


def gram_of_columns(A, B, C, alpha, beta):
    """X^T X instead of X X^T."""
    X = _x(A, B, C, alpha, beta)
    return alpha * torch.mm(X.T, X) + beta * X


def adds_c_again(A, B, C, alpha, beta):
    """beta multiplies C, not X, in the second step."""
    X = _x(A, B, C, alpha, beta)
    return alpha * torch.mm(X, X.T) + beta * C


def beta_ignored_at_the_end(A, B, C, alpha, beta):
    """Nothing is added to X X^T."""
    X = _x(A, B, C, alpha, beta)
    return alpha * torch.mm(X, X.T)


def alpha_once(A, B, C, alpha, beta):
    """alpha scales the first product only."""
    X = _x(A, B, C, alpha, beta)
    return torch.mm(X, X.T) + beta * X


def mirrored(A, B, C, alpha, beta):
    """Computes the lower half and copies it, as if X were symmetric."""
    X = _x(A, B, C, alpha, beta)
    result = alpha * torch.mm(X, X.T) + beta * X
    return torch.tril(result) + torch.tril(result, -1).T


def tf32_in_the_first_product(A, B, C, alpha, beta):
    """Operands of A B are rounded to the 10 mantissa bits of TF32."""
    X = _x(_cut_to_tf32(A), _cut_to_tf32(B), C, alpha, beta)
    return alpha * torch.mm(X, X.T) + beta * X


def tf32_in_the_second_product(A, B, C, alpha, beta):
    """X is rounded to the 10 mantissa bits of TF32 before X X^T."""
    X = _x(A, B, C, alpha, beta)
    return alpha * torch.mm(_cut_to_tf32(X), _cut_to_tf32(X).T) + beta * X


def x_in_float16(A, B, C, alpha, beta):
    """X is kept in float16."""
    X = _x(A, B, C, alpha, beta).half().float()
    return alpha * torch.mm(X, X.T) + beta * X


def one_tile(A, B, C, alpha, beta):
    """One program of 128 x 128 and no grid: what lies beyond stays 0."""
    X = _x(A, B, C, alpha, beta)
    result = alpha * torch.mm(X, X.T) + beta * X
    result[128:], result[:, 128:] = 0, 0
    return result


def writes_c(A, B, C, alpha, beta):
    """The right result, but C is overwritten with X."""
    X = _x(A, B, C, alpha, beta)
    if C.is_contiguous():
        C.copy_(X)
    return alpha * torch.mm(X, X.T) + beta * X
