"""Plausible wrong ways to solve least squares problems; each must be rejected."""
import torch


def _from_factors(q, r, b):
    return torch.linalg.solve_triangular(r, q.mT @ b, upper=True)


def normal_equations(A, b):
    """Solves A^T A x = A^T b: squares the condition number."""
    return torch.linalg.solve(A.mT @ A, A.mT @ b)


def normal_equations_in_double(A, b):
    """Solves the normal equations in float64, which hides it for float32 only."""
    return torch.linalg.solve(A.double().mT @ A.double(), A.double().mT @ b.double()).to(A.dtype)


def cholesky_qr(A, b):
    """R from the Cholesky factor of A^T A, Q = A R^-1."""
    r = torch.linalg.cholesky_ex(A.mT @ A)[0].mT
    return _from_factors(torch.linalg.solve_triangular(r, A, upper=True, left=False), r, b)


def gram_schmidt(A, b):
    """Classical Gram-Schmidt: Q loses its orthogonality on ill-conditioned matrices."""
    q, r = torch.zeros_like(A), A.new_zeros(A.shape[1], A.shape[1])
    for j in range(A.shape[1]):
        r[:, j] = q.mT @ A[:, j]
        rest = A[:, j] - q @ r[:, j]
        r[j, j] = rest.norm()
        q[:, j] = rest / r[j, j]
    return _from_factors(q, r, b)


def first_rows_only(A, b):
    """Solves the first n equations exactly and drops the others."""
    n = A.shape[1]
    return torch.linalg.solve(A[:n], b[:n])


def q_not_transposed(A, b):
    """Multiplies with Q where its transpose belongs, if it is square."""
    q, r = torch.linalg.qr(A)
    return torch.linalg.solve_triangular(r, (q if q.shape[0] == q.shape[1] else q.mT) @ b, upper=True)


def no_back_substitution(A, b):
    """Returns Q^T b."""
    return torch.linalg.qr(A)[0].mT @ b


def diagonal_of_r_only(A, b):
    """Divides Q^T b by the diagonal of R."""
    q, r = torch.linalg.qr(A)
    return q.mT @ b / torch.diagonal(r).unsqueeze(1)


def forward_substitution(A, b):
    """Solves with the transpose of R."""
    q, r = torch.linalg.qr(A)
    return torch.linalg.solve_triangular(r.mT, q.mT @ b, upper=False)


def absolute_diagonal(A, b):
    """Makes the diagonal of R positive and leaves Q as it is."""
    q, r = torch.linalg.qr(A)
    return _from_factors(q, r.triu(1) + torch.diag(torch.diagonal(r).abs()), b)


def ridge(A, b):
    """Adds 1e-3 to the diagonal of A^T A, to be safe."""
    eye = torch.eye(A.shape[1], dtype=A.dtype, device=A.device)
    return torch.linalg.solve(A.mT @ A + 1e-3 * eye, A.mT @ b)


def truncated(A, b):
    """A pseudoinverse that drops singular values below 1e-2 of the largest."""
    return torch.linalg.pinv(A, rtol=1e-2) @ b


def first_right_side(A, b):
    """Every column of x is the solution for the first right-hand side."""
    x = _from_factors(*torch.linalg.qr(A), b)
    return x[:, :1].expand_as(x).contiguous()


def right_sides_cut(A, b):
    """One block of 128 right-hand sides and no more."""
    x = _from_factors(*torch.linalg.qr(A), b)
    x[:, 128:] = 0
    return x


def rows_cut(A, b):
    """One block of 4096 rows and no more."""
    return _from_factors(*torch.linalg.qr(A[:4096]), b[:4096])


def low_precision(A, b):
    """Rounds A to bfloat16."""
    return _from_factors(*torch.linalg.qr(A.bfloat16().to(A.dtype)), b)


def tf32_operands(A, b):
    """Rounds float32 elements of A to TF32."""
    if A.dtype == torch.float32:
        A = ((A.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    return _from_factors(*torch.linalg.qr(A), b)


def single_precision(A, b):
    """Computes in float32, whatever the dtype."""
    return _from_factors(*torch.linalg.qr(A.float()), b.float()).to(A.dtype)
