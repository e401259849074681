"""Plausible wrong solutions of symmetric systems; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def _columns(A, b):
    """b as a matrix, and whether it was a vector."""
    vector = b.shape == A.shape[:-1]
    return (b.unsqueeze(-1) if vector else b), vector


def _solve_ldl(A, b, factors, pivots, hermitian):
    x, vector = _columns(A, b)
    x = torch.linalg.ldl_solve(factors, pivots, x, hermitian=hermitian)
    return x.squeeze(-1) if vector else x


def pivots_for_d(A, b, hermitian=False, out=None):
    """Takes the pivot vector for D, and multiplies the factors out before solving."""
    factors, pivots = torch.linalg.ldl_factor(A, hermitian=hermitian)
    eye = torch.eye(A.shape[-1], dtype=A.dtype, device=A.device)
    lower = torch.tril(factors, -1) + eye
    other = lower.conj() if hermitian else lower
    return _give(torch.linalg.solve(lower @ torch.diag_embed(pivots.to(A.dtype)) @ other.transpose(-1, -2), b), out)


def diagonal_of_d_only(A, b, hermitian=False, out=None):
    """Ignores exchanges and the off-diagonal elements of D's blocks of two."""
    factors, _ = torch.linalg.ldl_factor(A, hermitian=hermitian)
    order = torch.arange(1, A.shape[-1] + 1, dtype=torch.int32, device=A.device).expand(A.shape[:-1]).clone()
    return _give(_solve_ldl(A, b, factors, order, hermitian), out)


def no_pivoting(A, b, hermitian=False, out=None):
    """Eliminates in the given order; a zero on the diagonal is replaced by a small number."""
    x, vector = _columns(A, b)
    w, n = torch.cat([A, x], -1), A.shape[-1]
    for k in range(n):
        d = w[..., k, k]
        d = torch.where(d == 0, torch.full_like(d, 1e-20), d)
        w[..., k + 1:, :] -= (w[..., k + 1:, k] / d.unsqueeze(-1)).unsqueeze(-1) * w[..., k:k + 1, :]
    upper = w[..., :n]
    tiny = torch.where(torch.diagonal(upper, dim1=-2, dim2=-1) == 0, 1e-20, 0.0).to(A.dtype)
    x = torch.linalg.solve_triangular(upper + torch.diag_embed(tiny), w[..., n:], upper=True)
    return _give(torch.nan_to_num(x.squeeze(-1) if vector else x), out)


def hermitian_ignored(A, b, hermitian=False, out=None):
    """Completes the lower triangle to a symmetric matrix also where it is Hermitian."""
    lower = torch.tril(A)
    return _give(torch.linalg.solve(lower + torch.tril(A, -1).transpose(-1, -2), b), out)


def always_hermitian(A, b, hermitian=False, out=None):
    """Completes the lower triangle to a Hermitian matrix also where it is symmetric."""
    lower = torch.tril(A)
    return _give(torch.linalg.solve(lower + torch.tril(A, -1).transpose(-1, -2).conj(), b), out)


def transposed(A, b, hermitian=False, out=None):
    """Solves A^T x = b: the same unless A is Hermitian and complex."""
    return _give(torch.linalg.solve(A.transpose(-1, -2), b), out)


def positive_definite(A, b, hermitian=False, out=None):
    """Takes |eigenvalues|, as a Cholesky factorization presumes."""
    values, vectors = torch.linalg.eigh(A)
    x, vector = _columns(A, b)
    x = vectors @ ((vectors.transpose(-1, -2).conj() @ x) / values.abs().unsqueeze(-1))
    return _give(x.squeeze(-1) if vector else x, out)


def ridge(A, b, hermitian=False, out=None):
    """Adds 1e-4 to the diagonal for safety."""
    return _give(torch.linalg.solve(A + 1e-4 * torch.eye(A.shape[-1], dtype=A.dtype, device=A.device), b), out)


def real_part_only(A, b, hermitian=False, out=None):
    """Drops imaginary parts."""
    if not A.is_complex():
        return _give(torch.linalg.solve(A, b), out)
    return _give(torch.linalg.solve(A.real, b.real).to(A.dtype), out)


def first_column_only(A, b, hermitian=False, out=None):
    """Solves for the first right-hand side and leaves the others 0."""
    x, vector = _columns(A, b)
    x = torch.linalg.solve(A, x).clone()
    x[..., 1:] = 0
    return _give(x.squeeze(-1) if vector else x, out)


def first_matrix_only(A, b, hermitian=False, out=None):
    """Solves all systems of a batch with the first matrix."""
    first = A.reshape(-1, *A.shape[-2:])[:1].expand(A.numel() // max(A.shape[-1] ** 2, 1), *A.shape[-2:])
    return _give(torch.linalg.solve(first.reshape(A.shape), b), out)


def low_precision(A, b, hermitian=False, out=None):
    """Works on A rounded to bfloat16."""
    if A.is_complex():
        rounded = torch.complex(A.real.bfloat16().to(A.real.dtype), A.imag.bfloat16().to(A.real.dtype))
    else:
        rounded = A.bfloat16().to(A.dtype)
    return _give(torch.linalg.solve(rounded, b), out)


def out_not_written(A, b, hermitian=False, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.linalg.solve(A, b)
