"""Plausible wrong distances of normalised rows; each must be rejected."""
import torch
import torch.nn.functional as F


def _distances(a, b, p, eps, keepdim):
    distance = torch.linalg.vector_norm(a.unsqueeze(1) - b.unsqueeze(0), ord=p, dim=-1, keepdim=keepdim)
    return distance.clamp_min(eps)


def _rows(x1, x2, p, eps):
    return F.normalize(x1, p=p, dim=-1, eps=eps), F.normalize(x2, p=p, dim=-1, eps=eps)


def not_normalized(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Distances of the rows as they are."""
    return _distances(x1, x2, p_norm, eps_distance, keepdim)


def columns_normalized(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Divides columns by their norm."""
    a, b = F.normalize(x1, p=p_norm, dim=0, eps=eps_norm), F.normalize(x2, p=p_norm, dim=0, eps=eps_norm)
    return _distances(a, b, p_norm, eps_distance, keepdim)


def row_by_row(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Only the distance of row i to row i, where the numbers of rows agree."""
    a, b = _rows(x1, x2, p_norm, eps_norm)
    if a.shape[0] == b.shape[0]:
        return F.pairwise_distance(a, b, p=p_norm, eps=eps_distance, keepdim=keepdim)
    return _distances(a, b, p_norm, eps_distance, keepdim)


def euclidean_normalization(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Normalises with p = 2 always."""
    return _distances(*_rows(x1, x2, 2.0, eps_norm), p_norm, eps_distance, keepdim)


def euclidean_distance(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Uses p for the normalisation and 2 for the distance."""
    return _distances(*_rows(x1, x2, p_norm, eps_norm), 2.0, eps_distance, keepdim)


def root_forgotten(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """The sum of the p-th powers, without the root."""
    a, b = _rows(x1, x2, p_norm, eps_norm)
    total = torch.linalg.vector_norm(a.unsqueeze(1) - b.unsqueeze(0), ord=p_norm, dim=-1, keepdim=keepdim) ** p_norm
    return total.clamp_min(eps_distance)


def product_form(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """The root of |a|^2 + |b|^2 - 2 a.b, which cancels for nearly equal rows."""
    a, b = _rows(x1, x2, p_norm, eps_norm)
    if p_norm != 2.0:
        return _distances(a, b, p_norm, eps_distance, keepdim)
    square = (a * a).sum(1).unsqueeze(1) + (b * b).sum(1) - 2 * (a @ b.T)
    distance = square.clamp_min(0).sqrt().clamp_min(eps_distance)
    return distance.unsqueeze(-1) if keepdim else distance


def eps_norm_added(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Divides by the norm plus eps_norm."""
    a, b = (x / (torch.linalg.vector_norm(x, ord=p_norm, dim=-1, keepdim=True) + eps_norm) for x in (x1, x2))
    return _distances(a, b, p_norm, eps_distance, keepdim)


def eps_norm_fixed(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Always 1e-12."""
    return _distances(*_rows(x1, x2, p_norm, 1e-12), p_norm, eps_distance, keepdim)


def eps_distance_added(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Adds eps_distance to the distance."""
    return _distances(*_rows(x1, x2, p_norm, eps_norm), p_norm, 0.0, keepdim) + eps_distance


def eps_distance_ignored(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Distances may fall below eps_distance."""
    return _distances(*_rows(x1, x2, p_norm, eps_norm), p_norm, 0.0, keepdim)


def keepdim_ignored(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Never keeps the reduced dimension."""
    return _distances(*_rows(x1, x2, p_norm, eps_norm), p_norm, eps_distance, False)


def transposed(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Writes the distance of i and j to (j, i)."""
    result = _distances(*_rows(x1, x2, p_norm, eps_norm), p_norm, eps_distance, keepdim)
    return result.transpose(0, 1).reshape(result.shape)


def first_block_of_columns(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """One block of 1024 columns and no loop."""
    return _distances(*_rows(x1[:, :1024], x2[:, :1024], p_norm, eps_norm), p_norm, eps_distance, keepdim)


def first_block_of_rows(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """A grid that ends at 128 rows of x1."""
    result = _distances(*_rows(x1, x2, p_norm, eps_norm), p_norm, eps_distance, keepdim)
    result[128:] = 0
    return result


def fixed_exponents_only(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Knows p = 1 and takes everything else for 2."""
    p = 1.0 if p_norm == 1.0 else 2.0
    return _distances(*_rows(x1, x2, p, eps_norm), p, eps_distance, keepdim)


def infinity_as_a_number(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Raises to the power inf, which is no maximum."""
    a, b = (x / ((x.abs() ** p_norm).sum(-1, keepdim=True) ** (1 / p_norm)).clamp_min(eps_norm) for x in (x1, x2))
    return _distances(a, b, p_norm, eps_distance, keepdim)


def low_precision(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Rounds the normalised rows to bfloat16."""
    a, b = (x.bfloat16().to(x.dtype) for x in _rows(x1, x2, p_norm, eps_norm))
    return _distances(a, b, p_norm, eps_distance, keepdim)


def single_precision(x1, x2, p_norm=2.0, eps_norm=1e-12, eps_distance=1e-06, keepdim=False):
    """Computes in float32, whatever the dtype."""
    rows = _rows(x1.float(), x2.float(), p_norm, eps_norm)
    return _distances(*rows, p_norm, eps_distance, keepdim).to(x1.dtype)
