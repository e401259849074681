"""Plausible wrong LU factorizations; each must be rejected."""
import torch


def _give(result, out):
    return tuple(result) if out is None else tuple(o.copy_(r) for o, r in zip(out, result))


def _right(A, pivot=True):
    return torch.linalg.lu(A) if pivot else (A.new_empty(0), *_in_order(A))


def _in_order(A):
    m, k = A.shape[-2], min(A.shape[-2:])
    w = A.clone()
    for j in range(k):
        w[..., j + 1:, j] /= w[..., j, j].unsqueeze(-1)
        w[..., j + 1:, j + 1:] -= w[..., j + 1:, j].unsqueeze(-1) * w[..., j, j + 1:].unsqueeze(-2)
    return w[..., :k].tril(-1) + torch.eye(m, k, dtype=A.dtype, device=A.device), w[..., :k, :].triu()


def permutation_transposed(A, pivot=True, out=None):
    """Returns P^T: right only when P is symmetric."""
    p, lower, upper = _right(A, pivot)
    return _give((p.transpose(-1, -2).contiguous() if pivot else p, lower, upper), out)


def permutation_dropped(A, pivot=True, out=None):
    """Returns the identity for P though rows were exchanged."""
    p, lower, upper = _right(A, pivot)
    eye = torch.eye(A.shape[-2], dtype=A.dtype, device=A.device).expand_as(p) if pivot else p
    return _give((eye.contiguous(), lower, upper), out)


def never_pivots(A, pivot=True, out=None):
    """Eliminates in the given order, whatever pivot says: P L U is A where that works, but L has large elements."""
    eye = torch.eye(A.shape[-2], dtype=A.dtype, device=A.device).expand(*A.shape[:-1], A.shape[-2])
    return _give((eye.contiguous() if pivot else A.new_empty(0), *_in_order(A)), out)


def always_pivots(A, pivot=True, out=None):
    """pivot is ignored in the factors, and P is left out where it is False."""
    p, lower, upper = torch.linalg.lu(A)
    return _give((p if pivot else A.new_empty(0), lower, upper), out)


def identity_without_pivoting(A, pivot=True, out=None):
    """Returns an identity matrix for P where no rows are exchanged."""
    eye = torch.eye(A.shape[-2], dtype=A.dtype, device=A.device).expand(*A.shape[:-1], A.shape[-2]).contiguous()
    p, lower, upper = _right(A, pivot)
    return _give((p if pivot else eye, lower, upper), out)


def largest_signed_value(A, pivot=True, out=None):
    """Takes the largest element for the pivot instead of the one of the largest absolute value."""
    if not pivot or A.numel() > 4096:  # small matrices show it
        return _give(_right(A, pivot), out)
    m, k = A.shape[-2], min(A.shape[-2:])
    w = A.reshape(-1, m, A.shape[-1]).clone()
    batch = torch.arange(w.shape[0], device=A.device)
    p = torch.eye(m, dtype=A.dtype, device=A.device).repeat(w.shape[0], 1, 1)
    for j in range(k):
        top = j + w[:, j:, j].argmax(-1)
        for rows in (w, p):
            row_j, row_top = rows[:, j].clone(), rows[batch, top].clone()
            rows[:, j], rows[batch, top] = row_top, row_j
        head = torch.where(w[:, j, j] == 0, 1.0, w[:, j, j])
        w[:, j + 1:, j] /= head.unsqueeze(-1)
        w[:, j + 1:, j + 1:] -= w[:, j + 1:, j].unsqueeze(-1) * w[:, j, j + 1:].unsqueeze(-2)
    lower = w[..., :k].tril(-1) + torch.eye(m, k, dtype=A.dtype, device=A.device)
    factors = (p.transpose(-1, -2), lower, w[:, :k].triu())
    return _give((f.reshape(*A.shape[:-2], *f.shape[1:]) for f in factors), out)


def diagonal_in_l(A, pivot=True, out=None):
    """Crout's form: U has the ones on its diagonal, L the pivots."""
    p, lower, upper = _right(A, pivot)
    d = torch.diagonal(upper, dim1=-2, dim2=-1)
    d = torch.where(d == 0, torch.ones_like(d), d)
    return _give((p, lower * d.unsqueeze(-2), upper / d.unsqueeze(-1)), out)


def packed(A, pivot=True, out=None):
    """Leaves U in L's upper triangle, as elimination in place does."""
    p, lower, upper = _right(A, pivot)
    k = lower.shape[-1]
    whole = lower.clone()
    whole[..., :k, :] = lower[..., :k, :].tril(-1) + upper[..., :k]
    return _give((p, whole, upper), out)


def noise_in_u(A, pivot=True, out=None):
    """Finds U as L^-1 P^T A and keeps its rounding noise below the diagonal."""
    p, lower, _ = _right(A, pivot)
    k = lower.shape[-1]
    right = p.transpose(-1, -2) @ A if pivot else A
    return _give((p, lower, torch.linalg.solve_triangular(lower[..., :k, :], right[..., :k, :], upper=False)), out)


def first_matrix_only(A, pivot=True, out=None):
    """Every matrix of a batch gets the factors of the first one."""
    flat = A.reshape(-1, *A.shape[-2:])
    factors = _right(flat[:1].expand_as(flat).contiguous(), pivot)
    return _give((f.reshape(*A.shape[:-2], *f.shape[1:]) if f.numel() else f for f in factors), out)


def first_panel_only(A, pivot=True, out=None):
    """One block of 64 columns: the rest of U is not updated."""
    p, lower, upper = _right(A, pivot)
    upper = upper.clone()
    upper[..., 64:, 64:] = 0
    return _give((p, lower, upper), out)


def low_precision(A, pivot=True, out=None):
    """Rounds A to bfloat16."""
    return _give(_right(A.bfloat16().to(A.dtype), pivot), out)


def single_precision(A, pivot=True, out=None):
    """Computes in float32, whatever the dtype."""
    return _give((f.to(A.dtype) for f in _right(A.float(), pivot)), out)


def nan_where_singular(A, pivot=True, out=None):
    """Divides by a pivot of zero."""
    p, lower, upper = _right(A, pivot)
    dead = (torch.diagonal(upper, dim1=-2, dim2=-1) == 0).unsqueeze(-2)
    return _give((p, torch.where(dead & (lower.tril(-1) == 0), torch.nan, lower).tril(), upper), out)


def out_not_written(A, pivot=True, out=None):
    """Returns fresh tensors and leaves out as it was."""
    return tuple(_right(A, pivot))
