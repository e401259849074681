"""Plausible wrong determinants; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def _pivots(A):
    return torch.diagonal(torch.linalg.lu(A)[2], dim1=-2, dim2=-1)


def sign_of_exchanges_dropped(A, *, pivot=True, out=None):
    """The product of the pivots, whatever rows were exchanged."""
    return _give(_pivots(A).prod(-1), out)


def absolute_value(A, *, pivot=True, out=None):
    """The product of the singular values: always positive."""
    return _give(torch.linalg.svdvals(A).prod(-1), out)


def no_pivoting(A, *, pivot=True, out=None):
    """Eliminates without row exchanges."""
    w = A.clone()
    for j in range(A.shape[-1]):
        factor = w[..., j + 1:, j:j + 1] / w[..., j:j + 1, j:j + 1]
        w[..., j + 1:, :] = w[..., j + 1:, :] - factor * w[..., j:j + 1, :]
    return _give(torch.diagonal(w, dim1=-2, dim2=-1).prod(-1), out)


def diagonal_product(A, *, pivot=True, out=None):
    """Multiplies the diagonal of A itself."""
    return _give(torch.diagonal(A, dim1=-2, dim2=-1).prod(-1), out)


def sum_of_pivots(A, *, pivot=True, out=None):
    """Adds the pivots up: the trace of U."""
    return _give(_pivots(A).sum(-1), out)


def first_matrix_only(A, *, pivot=True, out=None):
    """Every matrix of a batch gets the determinant of the first one."""
    result = torch.linalg.det(A)
    return _give(result.reshape(-1)[:1].expand(result.numel()).reshape(result.shape).contiguous(), out)


def leading_block(A, *, pivot=True, out=None):
    """One block of 64 rows and columns and no more."""
    return _give(torch.linalg.det(A[..., :64, :64]), out)


def first_thousand_matrices(A, *, pivot=True, out=None):
    """A grid that ends at 1000 programs."""
    result = torch.linalg.det(A)
    result.view(-1)[1000:] = 0
    return _give(result, out)


def low_precision(A, *, pivot=True, out=None):
    """Rounds A to bfloat16."""
    return _give(torch.linalg.det(A.bfloat16().to(A.dtype)), out)


def tf32_operands(A, *, pivot=True, out=None):
    """Rounds float32 elements to TF32."""
    if A.dtype != torch.float32:
        return _give(torch.linalg.det(A), out)
    return _give(torch.linalg.det(((A.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)), out)


def single_precision(A, *, pivot=True, out=None):
    """Computes in float32, whatever the dtype."""
    return _give(torch.linalg.det(A.float()).to(A.dtype), out)


def regularized(A, *, pivot=True, out=None):
    """Adds 1e-4 to the diagonal, to be safe."""
    return _give(torch.linalg.det(A + 1e-4 * torch.eye(A.shape[-1], dtype=A.dtype, device=A.device)), out)


def zero_where_small(A, *, pivot=True, out=None):
    """Takes a determinant below 1e-4 for that of a singular matrix."""
    result = torch.linalg.det(A)
    return _give(torch.where(result.abs() < 1e-4, torch.zeros_like(result), result), out)


def nan_where_singular(A, *, pivot=True, out=None):
    """Divides by a pivot of zero."""
    result = torch.linalg.det(A)
    return _give(torch.where(result == 0, torch.full_like(result, float("nan")), result), out)


def sign_only_without_pivoting(A, *, pivot=True, out=None):
    """Forgets the sign of the exchanges when it pivots."""
    result = torch.linalg.det(A)
    return _give(result.abs() if pivot else result, out)


def log_of_absolute_value(A, *, pivot=True, out=None):
    """Returns log |det| where pivot is False, as slogdet gives it."""
    result = torch.linalg.det(A) if pivot else torch.linalg.slogdet(A)[1]
    return _give(result, out)


def out_not_written(A, *, pivot=True, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.linalg.det(A)
