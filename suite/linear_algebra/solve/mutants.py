"""Plausible wrong ways to solve linear systems; each must be rejected."""
import torch


def _as_matrix(A, B):
    return B.unsqueeze(-1) if B.dim() < A.dim() else B


def _checked(A):
    """The errors of the reference."""
    torch.linalg.inv(A)


def _substitute(lower, upper, b, B):
    y = torch.linalg.solve_triangular(lower, b, upper=False)
    return torch.linalg.solve_triangular(upper, y, upper=True).reshape(B.shape)


def permutation_dropped(A, B):
    """Solves (L U) X = B: right only when no rows were exchanged."""
    _checked(A)
    _, lower, upper = torch.linalg.lu(A)
    return _substitute(lower, upper, _as_matrix(A, B), B)


def permutation_not_transposed(A, B):
    """Applies P where its transpose belongs: right only when P is symmetric."""
    _checked(A)
    p, lower, upper = torch.linalg.lu(A)
    return _substitute(lower, upper, p @ _as_matrix(A, B), B)


def no_pivoting(A, B):
    """Eliminates without row exchanges."""
    _checked(A)
    b = _as_matrix(A, B)
    n = A.shape[-1]
    w = torch.cat([A.expand(*b.shape[:-1], n), b], -1)
    for j in range(n):
        factor = w[..., j + 1:, j:j + 1] / w[..., j:j + 1, j:j + 1]
        w[..., j + 1:, :] = w[..., j + 1:, :] - factor * w[..., j:j + 1, :]
    return torch.linalg.solve_triangular(w[..., :n].triu(), w[..., n:], upper=True).reshape(B.shape)


def transposed(A, B):
    """Solves with the transpose of A."""
    return torch.linalg.solve(A.transpose(-1, -2), B)


def forward_only(A, B):
    """Stops after the forward substitution."""
    _checked(A)
    p, lower, _ = torch.linalg.lu(A)
    right = p.transpose(-1, -2) @ _as_matrix(A, B)
    return torch.linalg.solve_triangular(lower, right, upper=False).reshape(B.shape)


def first_right_side(A, B):
    """Every column of X is the solution for the first right-hand side."""
    x = torch.linalg.solve(A, B)
    return x[..., :1].expand_as(x).contiguous() if B.dim() >= A.dim() else x


def right_sides_cut(A, B):
    """One block of 128 right-hand sides and no more."""
    x = torch.linalg.solve(A, B)
    if B.dim() >= A.dim():
        x[..., 128:] = 0
    return x


def first_matrix_only(A, B):
    """Every system of a batch is solved with the first matrix."""
    _checked(A)
    first = A.reshape(-1, *A.shape[-2:])[:1]
    return torch.linalg.solve(first.expand(A[..., 0, 0].numel(), -1, -1).reshape(A.shape), B)


def first_thousand_matrices(A, B):
    """A grid that ends at 1000 programs."""
    x = torch.linalg.solve(A, B)
    if A.dim() == 3:
        x[1000:] = 0
    return x


def low_precision(A, B):
    """Rounds A to bfloat16."""
    return torch.linalg.solve(A.bfloat16().to(A.dtype), B)


def single_precision(A, B):
    """Computes in float32, whatever the dtype."""
    return torch.linalg.solve(A.float(), B.float()).to(B.dtype)


def tf32_operands(A, B):
    """Rounds float32 elements of A to TF32."""
    if A.dtype != torch.float32:
        return torch.linalg.solve(A, B)
    return torch.linalg.solve(((A.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32), B)


def regularized(A, B):
    """Adds 1e-3 to the diagonal, to be safe."""
    _checked(A)
    return torch.linalg.solve(A + 1e-3 * torch.eye(A.shape[-1], dtype=A.dtype, device=A.device), B)


def pseudoinverse(A, B):
    """Least squares: no exception for a singular matrix."""
    if A.shape[-1] != A.shape[-2]:
        raise RuntimeError("A must be square")
    return (torch.linalg.pinv(A) @ _as_matrix(A, B)).reshape(B.shape)


def least_squares_shape(A, B):
    """No exception for a matrix that is not square."""
    if A.shape[-1] != A.shape[-2]:
        return (torch.linalg.pinv(A) @ _as_matrix(A, B)).squeeze(-1)
    return torch.linalg.solve(A, B)


def infinities_where_singular(A, B):
    """Returns infinities for a singular matrix in place of an exception."""
    if A.shape[-1] != A.shape[-2]:
        raise RuntimeError("A must be square")
    x, info = torch.linalg.solve_ex(A, B)
    return torch.full_like(x, float("inf")) if bool((info != 0).any()) else x
