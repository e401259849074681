"""Wrong versions of qr, one fault each."""
import torch


def _give(q, r, out):
    if out is None:
        return q, r
    return out[0].copy_(q), out[1].copy_(r)


def gram_schmidt(A, mode="reduced", out=None):
    """Classical Gram-Schmidt without reorthogonalization: loses orthogonality on ill-conditioned matrices."""
    q, r = (x.clone() for x in torch.linalg.qr(A, mode))
    if mode == "reduced":
        for j in range(q.shape[-1]):
            column = A[..., j]
            r[..., :j, j] = (q[..., :j].transpose(-1, -2) @ column.unsqueeze(-1)).squeeze(-1)
            rest = column - (q[..., :j] @ r[..., :j, j].unsqueeze(-1)).squeeze(-1)
            r[..., j, j] = rest.norm(dim=-1)
            q[..., j] = rest / r[..., j, j].unsqueeze(-1)
        r[..., :, q.shape[-1]:] = q.transpose(-1, -2) @ A[..., q.shape[-1]:]
    return _give(q, r, out)


def cholesky_qr(A, mode="reduced", out=None):
    """R from the Cholesky factor of A^T A, Q = A R^-1: squares the condition number."""
    q, r = torch.linalg.qr(A, mode)
    if mode == "reduced" and A.shape[-2] >= A.shape[-1]:
        lower, _ = torch.linalg.cholesky_ex(A.transpose(-1, -2) @ A)
        r = lower.transpose(-1, -2).contiguous()
        q = torch.linalg.solve_triangular(r, A, upper=True, left=False)
    return _give(q, r, out)


def noise_below_the_diagonal(A, mode="reduced", out=None):
    """R is computed as Q^T A and keeps its rounding noise below the diagonal."""
    q, r = torch.linalg.qr(A, mode)
    return _give(q, q.transpose(-1, -2) @ A if mode != "r" else r, out)


def positive_diagonal_of_r_only(A, mode="reduced", out=None):
    """The signs of R's rows are changed to make its diagonal positive, Q keeps its own."""
    q, r = torch.linalg.qr(A, mode)
    sign = torch.where(torch.diagonal(r, dim1=-2, dim2=-1) < 0, -1.0, 1.0).to(r.dtype)
    full = torch.ones(r.shape[:-1], dtype=r.dtype, device=r.device)
    full[..., :sign.shape[-1]] = sign
    return _give(q, r * full.unsqueeze(-1) if mode != "r" else 2 * r, out)


def transposed_q(A, mode="reduced", out=None):
    """Q is returned transposed where that keeps its shape."""
    q, r = torch.linalg.qr(A, mode)
    square = q.dim() > 1 and q.shape[-1] == q.shape[-2]
    return _give(q.transpose(-1, -2).contiguous() if square else q, r, out)


def always_reduced(A, mode="reduced", out=None):
    """mode is ignored."""
    return _give(*torch.linalg.qr(A), out)


def first_matrix_only(A, mode="reduced", out=None):
    """Every matrix of a batch gets the factors of the first one."""
    flat = A.reshape(-1, *A.shape[-2:])
    q, r = torch.linalg.qr(flat[:1].expand_as(flat), mode)
    q = q.reshape(*A.shape[:-2], *q.shape[1:]) if mode != "r" else q
    return _give(q, r.reshape(*A.shape[:-2], *r.shape[1:]), out)


def low_precision(A, mode="reduced", out=None):
    """Works on operands rounded to bfloat16."""
    q, r = torch.linalg.qr(A.bfloat16().to(A.dtype), mode)
    return _give(q, r, out)


def unnormalized_q(A, mode="reduced", out=None):
    """The columns of Q keep the length of A's pivots: Q R is right, Q is not orthonormal."""
    q, r = torch.linalg.qr(A, mode)
    if mode == "r":
        return _give(q, r, out)
    return _give(q * 2, r / 2, out)


def identity_times_a(A, mode="reduced", out=None):
    """Q = I and R = A: a product that reconstructs A, but R is not triangular."""
    q, r = torch.linalg.qr(A, mode)
    rows = r.shape[-2]
    eye = torch.eye(q.shape[-2], q.shape[-1], dtype=A.dtype, device=A.device).expand_as(q) if mode != "r" else q
    return _give(eye.clone(), A[..., :rows, :].clone(), out)
