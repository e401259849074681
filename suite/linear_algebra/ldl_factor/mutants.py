"""Wrong versions of ldl_factor, one fault each."""
import torch


def _give(factors, pivots, out):
    return (factors, pivots) if out is None else (out[0].copy_(factors), out[1].copy_(pivots))


def _factor(A, hermitian=False):
    return torch.linalg.ldl_factor_ex(A, hermitian=hermitian)[:2]


def _without_pivoting(A, hermitian):
    """Elimination in the given order; pivots say so."""
    n = A.shape[-1]
    w, factors = A.clone(), torch.zeros_like(A)
    for k in range(n):
        d = w[..., k, k].clone()
        column = w[..., k + 1:, k] / d.unsqueeze(-1)
        factors[..., k, k] = d
        factors[..., k + 1:, k] = column
        row = w[..., k + 1:, k].conj() if hermitian else w[..., k + 1:, k]
        w[..., k + 1:, k + 1:] -= column.unsqueeze(-1) * row.unsqueeze(-2)
    pivots = torch.arange(1, n + 1, dtype=torch.int32, device=A.device).expand(A.shape[:-1]).clone()
    return factors, pivots


def no_pivoting(A, hermitian=False, out=None):
    """Takes the diagonal elements as they come."""
    return _give(*_without_pivoting(A, hermitian), out)


def zero_pivots_replaced(A, hermitian=False, out=None):
    """No pivoting, but small diagonal elements are pushed away from 0."""
    eye = torch.eye(A.shape[-1], dtype=A.dtype, device=A.device)
    small = torch.diagonal(A, dim1=-2, dim2=-1).abs() < 1e-6
    return _give(*_without_pivoting(A + 1e-3 * eye * small.unsqueeze(-1), hermitian), out)


def hermitian_ignored(A, hermitian=False, out=None):
    """Factors L D L^T also where L D L^H is asked for."""
    return _give(*_factor(A), out)


def always_hermitian(A, hermitian=False, out=None):
    """Factors L D L^H also where L D L^T is asked for."""
    return _give(*_factor(A, hermitian=True), out)


def upper_factor(A, hermitian=False, out=None):
    """Packs the factor into the upper triangle."""
    factors, pivots = _factor(A, hermitian=hermitian)
    return _give(factors.transpose(-1, -2).contiguous(), pivots, out)


def pivots_from_zero(A, hermitian=False, out=None):
    """Counts rows from 0."""
    factors, pivots = _factor(A, hermitian=hermitian)
    return _give(factors, pivots - 1, out)


def blocks_not_marked(A, hermitian=False, out=None):
    """Leaves out the sign that marks blocks of two."""
    factors, pivots = _factor(A, hermitian=hermitian)
    return _give(factors, pivots.abs(), out)


def no_exchanges(A, hermitian=False, out=None):
    """The pivots of an elimination without exchanges, beside factors that have them."""
    factors, pivots = _factor(A, hermitian=hermitian)
    order = torch.arange(1, A.shape[-1] + 1, dtype=pivots.dtype, device=A.device)
    return _give(factors, order.expand(pivots.shape).clone(), out)


def cholesky_scaled(A, hermitian=False, out=None):
    """L is multiplied with D: the diagonal of L is not 1."""
    factors, pivots = _factor(A, hermitian=hermitian)
    d = torch.diagonal(factors, dim1=-2, dim2=-1).unsqueeze(-2)
    lower = torch.tril(factors, -1) * d
    return _give(lower + torch.diag_embed(d.squeeze(-2)), pivots, out)


def lu_factor(A, hermitian=False, out=None):
    """The packed LU factorization."""
    factors, pivots, _ = torch.linalg.lu_factor_ex(A)
    return _give(factors, pivots, out)


def first_matrix_only(A, hermitian=False, out=None):
    """Every matrix of a batch gets the factors of the first one."""
    flat = A.reshape(-1, *A.shape[-2:])
    factors, pivots = _factor(flat[:1], hermitian=hermitian)
    return _give(
        factors.expand(flat.shape).reshape(A.shape), pivots.expand(flat.shape[:-1]).reshape(A.shape[:-1]), out
    )


def low_precision(A, hermitian=False, out=None):
    """Works on A rounded to bfloat16."""
    if A.is_complex():
        rounded = torch.complex(A.real.bfloat16().to(A.real.dtype), A.imag.bfloat16().to(A.real.dtype))
    else:
        rounded = A.bfloat16().to(A.dtype)
    return _give(*_factor(rounded, hermitian=hermitian), out)


def real_part_only(A, hermitian=False, out=None):
    """Factors the real part."""
    factors, pivots = _factor(A.real if A.is_complex() else A, hermitian=hermitian)
    return _give(factors.to(A.dtype), pivots, out)


def out_not_written(A, hermitian=False, out=None):
    """Returns fresh tensors and leaves out as it was."""
    return tuple(_factor(A, hermitian=hermitian))
