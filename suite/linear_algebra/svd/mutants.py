"""Wrong versions of svd, one fault each."""
import torch


def v_not_transposed(A, full_matrices=True):
    """Returns V in place of V^T where it is square."""
    u, s, vh = torch.linalg.svd(A, full_matrices=full_matrices)
    return u, s, vh.transpose(-1, -2).contiguous() if vh.shape[-1] == vh.shape[-2] else vh


def ascending(A, full_matrices=True):
    """Singular values in the order of an eigenvalue solver, vectors with them."""
    u, s, vh = torch.linalg.svd(A, full_matrices=full_matrices)
    k = s.shape[-1]
    u = torch.cat([u[..., :k].flip(-1), u[..., k:]], -1)
    return u, s.flip(-1), torch.cat([vh[..., :k, :].flip(-2), vh[..., k:, :]], -2)


def gram_matrix(A, full_matrices=True):
    """Eigenvectors of A^T A, and U = A V / s: small singular values drown, their vectors are not orthogonal."""
    u, s, vh = (x.clone() for x in torch.linalg.svd(A, full_matrices=full_matrices))
    k = s.shape[-1]
    if A.shape[-2] >= A.shape[-1]:
        values, v = torch.linalg.eigh(A.transpose(-1, -2) @ A)
        s = values.flip(-1).clamp(min=0).sqrt()
        v = v.flip(-1)
        u[..., :k] = (A @ v) / s.clamp(min=1e-30).unsqueeze(-2)
        return u, s, v.transpose(-1, -2).contiguous()
    values, left = torch.linalg.eigh(A @ A.transpose(-1, -2))
    s = values.flip(-1).clamp(min=0).sqrt()
    left = left.flip(-1)
    vh[..., :k, :] = (left.transpose(-1, -2) @ A) / s.clamp(min=1e-30).unsqueeze(-1)
    return left, s, vh


def zeros_for_null_vectors(A, full_matrices=True):
    """Leaves the vectors of zero singular values, and those that full_matrices adds, 0."""
    u, s, vh = (x.clone() for x in torch.linalg.svd(A, full_matrices=full_matrices))
    k = s.shape[-1]
    noise = s <= s[..., :1] * 1e-5
    u[..., :k] = torch.where(noise.unsqueeze(-2), 0.0, u[..., :k])
    u[..., k:] = 0
    vh[..., k:, :] = 0
    return u, s, vh


def null_vectors_not_orthogonal(A, full_matrices=True):
    """Fills the vectors that full_matrices adds with columns of the identity."""
    u, s, vh = (x.clone() for x in torch.linalg.svd(A, full_matrices=full_matrices))
    k = s.shape[-1]
    u[..., k:] = torch.eye(u.shape[-2], dtype=A.dtype, device=A.device)[:, k:u.shape[-1]]
    vh[..., k:, :] = torch.eye(vh.shape[-1], dtype=A.dtype, device=A.device)[k:vh.shape[-2]]
    return u, s, vh


def always_reduced(A, full_matrices=True):
    """full_matrices is ignored: k columns."""
    return tuple(torch.linalg.svd(A, full_matrices=False))


def always_full(A, full_matrices=True):
    """full_matrices is ignored: all columns."""
    return tuple(torch.linalg.svd(A, full_matrices=True))


def squared_values(A, full_matrices=True):
    """Eigenvalues of A^T A for singular values."""
    u, s, vh = torch.linalg.svd(A, full_matrices=full_matrices)
    return u, s * s, vh


def signs_lost(A, full_matrices=True):
    """Makes the first row of U positive and leaves V as it is."""
    u, s, vh = torch.linalg.svd(A, full_matrices=full_matrices)
    return u * torch.where(u[..., :1, :] < 0, -1.0, 1.0).to(A.dtype), s, vh


def signed_values(A, full_matrices=True):
    """Singular values take the sign of the first element of their left vector."""
    u, s, vh = torch.linalg.svd(A, full_matrices=full_matrices)
    sign = torch.where(u[..., 0, :] < 0, -1.0, 1.0).to(A.dtype)
    return u * sign.unsqueeze(-2), s * sign[..., :s.shape[-1]], vh


def identity_factors(A, full_matrices=True):
    """The right singular values beside identities for vectors."""
    u, s, vh = torch.linalg.svd(A, full_matrices=full_matrices)
    eye = torch.eye(max(A.shape[-2:]), dtype=A.dtype, device=A.device)
    u = eye[:u.shape[-2], :u.shape[-1]].expand_as(u).clone()
    return u, s, eye[:vh.shape[-2], :vh.shape[-1]].expand_as(vh).clone()


def first_matrix_only(A, full_matrices=True):
    """Every matrix of a batch gets the factors of the first one."""
    flat = A.reshape(-1, *A.shape[-2:])
    factors = torch.linalg.svd(flat[:1], full_matrices=full_matrices)
    return tuple(x.expand(flat.shape[0], *x.shape[1:]).reshape(*A.shape[:-2], *x.shape[1:]) for x in factors)


def low_precision(A, full_matrices=True):
    """Works on A rounded to bfloat16."""
    return tuple(torch.linalg.svd(A.bfloat16().to(A.dtype), full_matrices=full_matrices))


def two_sweeps(A, full_matrices=True):
    """Stops Jacobi's rotations after two sweeps: the vectors are not orthogonal yet."""
    u, s, vh = (x.clone() for x in torch.linalg.svd(A, full_matrices=full_matrices))
    if A.dim() > 2 or A.shape[0] < A.shape[1] or A.shape[0] > 20:
        return u, s, vh
    w, v, n = A.clone(), torch.eye(A.shape[1], dtype=A.dtype, device=A.device), A.shape[1]
    for p, q in 2 * [(p, q) for p in range(n) for q in range(p + 1, n)]:
        ab = (w[:, p] * w[:, q]).sum()
        if ab.abs() > 0:
            zeta = ((w[:, q] * w[:, q]).sum() - (w[:, p] * w[:, p]).sum()) / (2 * ab)
            t = torch.where(zeta >= 0, 1.0, -1.0) / (zeta.abs() + (1 + zeta * zeta).sqrt())
            c = 1 / (1 + t * t).sqrt()
            for x in (w, v):
                x[:, p], x[:, q] = c * x[:, p] - c * t * x[:, q], c * t * x[:, p] + c * x[:, q]
    s, order = w.norm(dim=0).sort(descending=True)
    u[:, :n] = w[:, order] / s.clamp(min=1e-30)
    return u, s, v[:, order].t().contiguous()
