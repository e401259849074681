"""Plausible wrong Cholesky factorizations; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def upper_ignored(A, upper=False, out=None):
    """Always the lower triangle."""
    return _give(torch.linalg.cholesky(A), out)


def not_conjugated(A, upper=False, out=None):
    """The upper triangle as the plain transpose of L."""
    lower = torch.linalg.cholesky(A)
    return _give(lower.transpose(-1, -2).contiguous() if upper else lower, out)


def imaginary_part_dropped(A, upper=False, out=None):
    """Factorizes the real part."""
    real = A.real if A.is_complex() else A
    return _give(torch.linalg.cholesky(real, upper=upper).to(A.dtype), out)


def other_triangle_kept(A, upper=False, out=None):
    """Works in place and leaves A's elements beside the factor."""
    factor = torch.linalg.cholesky(A, upper=upper)
    return _give(factor + (A.tril(-1) if upper else A.triu(1)), out)


def unit_triangle(A, upper=False, out=None):
    """The L of A = L D L^H: the roots are forgotten."""
    factor = torch.linalg.cholesky(A, upper=upper)
    d = torch.diagonal(factor, dim1=-2, dim2=-1)
    return _give(factor / d.unsqueeze(-1 if upper else -2), out)


def negative_diagonal(A, upper=False, out=None):
    """-L: the product is right, the signs are not."""
    return _give(-torch.linalg.cholesky(A, upper=upper), out)


def signs_of_qr(A, upper=False, out=None):
    """R of a QR factorization of a square root of A: some rows have the wrong sign."""
    values, vectors = torch.linalg.eigh(A)
    root = values.sqrt().unsqueeze(-1) * vectors.mH
    r = torch.linalg.qr(root)[1]
    return _give(r if upper else r.mH.contiguous(), out)


def symmetric_root(A, upper=False, out=None):
    """The symmetric square root of A: not triangular."""
    values, vectors = torch.linalg.eigh(A)
    return _give((vectors * values.sqrt().unsqueeze(-2)) @ vectors.mH, out)


def jitter(A, upper=False, out=None):
    """Adds 1e-3 to the diagonal, to be safe."""
    eye = torch.eye(A.shape[-1], dtype=A.dtype, device=A.device)
    return _give(torch.linalg.cholesky(A + 1e-3 * eye, upper=upper), out)


def first_matrix_only(A, upper=False, out=None):
    """Every matrix of a batch gets the factor of the first one."""
    flat = torch.linalg.cholesky(A, upper=upper).reshape(-1, *A.shape[-2:])
    return _give(flat[:1].expand_as(flat).reshape(A.shape).contiguous(), out)


def first_thousand_matrices(A, upper=False, out=None):
    """A grid that ends at 1000 programs."""
    result = torch.linalg.cholesky(A, upper=upper)
    if A.dim() == 3:
        result[1000:] = 0
    return _give(result, out)


def last_block_not_updated(A, upper=False, out=None):
    """One panel of 64 columns: the block behind it is factorized as it is in A."""
    result = torch.linalg.cholesky(A, upper=upper).clone()
    if A.shape[-1] > 64:
        result[..., 64:, 64:] = torch.linalg.cholesky(A[..., 64:, 64:], upper=upper)
    return _give(result, out)


def low_precision(A, upper=False, out=None):
    """Rounds real matrices to bfloat16."""
    rounded = A if A.is_complex() else A.bfloat16().to(A.dtype)
    return _give(torch.linalg.cholesky_ex(rounded, upper=upper)[0], out)


def single_precision(A, upper=False, out=None):
    """Computes in float32, whatever the dtype."""
    single = A.to(torch.complex64 if A.is_complex() else torch.float32)
    return _give(torch.linalg.cholesky_ex(single, upper=upper)[0].to(A.dtype), out)


def out_not_written(A, upper=False, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.linalg.cholesky(A, upper=upper)
