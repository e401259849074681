"""Plausible wrong versions of a triangular solve with a scaled addition; each must be rejected."""
import torch


def _solved(A, b, upper=True):
    return torch.linalg.solve_triangular(A, b.unsqueeze(1), upper=upper).squeeze(1)


def alpha_ignored(A, b, y, alpha):
    """Adds y itself."""
    return _solved(A, b) + y


def alpha_scales_x(A, b, y, alpha):
    """alpha * x + y."""
    return alpha * _solved(A, b) + y


def added_before_solving(A, b, y, alpha):
    """Solves A x = b + alpha * y."""
    return _solved(A, b + alpha * y)


def subtracted(A, b, y, alpha):
    """x - alpha * y."""
    return _solved(A, b) - alpha * y


def nothing_added(A, b, y, alpha):
    """Solves only."""
    return _solved(A, b)


def lower_triangle(A, b, y, alpha):
    """Takes A for a lower triangle."""
    return _solved(A, b, upper=False) + alpha * y


def transposed(A, b, y, alpha):
    """Solves with the transpose of the triangle."""
    return _solved(A.triu().T, b, upper=False) + alpha * y


def unit_diagonal_assumed(A, b, y, alpha):
    """Never divides by the diagonal."""
    x = torch.linalg.solve_triangular(A, b.unsqueeze(1), upper=True, unitriangular=True).squeeze(1)
    return x + alpha * y


def both_triangles(A, b, y, alpha):
    """Solves with all of A."""
    return torch.linalg.solve_ex(A.nan_to_num(), b)[0] + alpha * y


def masked_by_product(A, b, y, alpha):
    """Multiplies what lies below the diagonal by zero: NaN and Inf stay NaN."""
    mask = torch.ones_like(A).triu()
    x = b.clone()
    masked = A * mask
    for i in reversed(range(A.shape[0])):
        others = masked[i] @ x - masked[i, i] * x[i] - masked[i, :i] @ x[:i]
        x[i] = (x[i] - others) / masked[i, i]
    return x + alpha * y


def diagonal_only(A, b, y, alpha):
    """One Jacobi step: divides by the diagonal."""
    return b / torch.diagonal(A) + alpha * y


def rows_do_not_wait(A, b, y, alpha):
    """Every row uses the right-hand sides in place of unknowns that are not solved yet."""
    off = A.triu(1)
    return (b - off @ b) / torch.diagonal(A) + alpha * y


def blocks_do_not_see_each_other(A, b, y, alpha):
    """Solves blocks of 128 unknowns by themselves."""
    parts = [slice(i, i + 128) for i in range(0, A.shape[0], 128)]
    return torch.cat([_solved(A[p, p], b[p]) for p in parts] or [b]) + alpha * y


def few_jacobi_steps(A, b, y, alpha):
    """Iterates x = (b - N x) / diagonal 24 times in place of substituting."""
    off, x = A.nan_to_num().triu(1), torch.zeros_like(b)
    for _ in range(24):
        x = (b - off @ x) / torch.diagonal(A)
    return x + alpha * y


def low_precision(A, b, y, alpha):
    """Rounds A to bfloat16."""
    return _solved(A.bfloat16().to(A.dtype), b) + alpha * y


def tf32_operands(A, b, y, alpha):
    """Rounds float32 elements of A to TF32."""
    if A.dtype == torch.float32:
        A = ((A.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    return _solved(A, b) + alpha * y


def single_precision(A, b, y, alpha):
    """Computes in float32, whatever the dtype."""
    return (_solved(A.float(), b.float()) + alpha * y.float()).to(A.dtype)


def product(A, b, y, alpha):
    """Multiplies instead of solving."""
    return A.triu() @ b + alpha * y
