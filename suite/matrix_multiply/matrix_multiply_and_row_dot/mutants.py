"""Wrong versions of matrix_multiply_and_row_dot, one fault each."""
import torch


def _rows(A, B, alpha, beta, C):
    return alpha * torch.mm(A, B) + beta * C


def squares_of_the_first_row(A, B, alpha, beta, C):
    """Row 0 with itself."""
    X = _rows(A, B, alpha, beta, C)
    return torch.dot(X[0], X[0])


def last_two_rows(A, B, alpha, beta, C):
    """Takes the rows at the end."""
    X = _rows(A, B, alpha, beta, C)
    return torch.dot(X[-2], X[-1])


def columns(A, B, alpha, beta, C):
    """Takes the first two columns."""
    X = _rows(A, B, alpha, beta, C)
    return torch.dot(X[:, 0], X[:, min(1, X.shape[1] - 1)])


def sum_of_all_products(A, B, alpha, beta, C):
    """Multiplies every row with the next one."""
    X = _rows(A, B, alpha, beta, C)
    return (X[:-1] * X[1:]).sum()


def alpha_scales_everything(A, B, alpha, beta, C):
    """alpha multiplies C too."""
    X = alpha * (torch.mm(A, B) + beta * C)
    return torch.dot(X[0], X[1])


def beta_ignored(A, B, alpha, beta, C):
    """C is added as it is."""
    X = _rows(A, B, alpha, 1.0, C)
    return torch.dot(X[0], X[1])


def c_in_one_row(A, B, alpha, beta, C):
    """C is added to row 0 only."""
    X = alpha * torch.mm(A, B)
    return torch.dot(X[0] + beta * C[0], X[1])


def tf32_products(A, B, alpha, beta, C):
    """Operands are rounded to the 10 mantissa bits of TF32."""
    def cut(x):
        return ((x.float().contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32).to(x.dtype)
    X = _rows(cut(A), cut(B), alpha, beta, C)
    return torch.dot(X[0], X[1])


def goes_through_float16(A, B, alpha, beta, C):
    """The two rows are kept in float16."""
    X = _rows(A, B, alpha, beta, C).half().to(A.dtype)
    return torch.dot(X[0], X[1])


def shape_of_one(A, B, alpha, beta, C):
    """The result has shape (1,) instead of ()."""
    X = _rows(A, B, alpha, beta, C)
    return torch.dot(X[0], X[1]).view(1)


def first_strip_only(A, B, alpha, beta, C):
    """Only the first 128 columns are summed."""
    X = _rows(A, B, alpha, beta, C)
    return torch.dot(X[0, :128], X[1, :128])


def writes_c(A, B, alpha, beta, C):
    """The right number, but C is overwritten on the way."""
    X = _rows(A, B, alpha, beta, C)
    if C.is_contiguous():
        C.copy_(X)
    return torch.dot(X[0], X[1])


def first_1024_columns(A, B, alpha, beta, C):
    """The last kernel has no loop: columns beyond 1024 do not count."""
    X = _rows(A, B, alpha, beta, C)
    return torch.dot(X[0, :1024], X[1, :1024])
