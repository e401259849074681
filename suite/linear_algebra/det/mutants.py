"""Plausible wrong determinants; each must be rejected."""
import torch


def _pivots(A):
    return torch.diagonal(torch.linalg.lu(A)[2], dim1=-2, dim2=-1)


def sign_of_exchanges_dropped(A):
    """The product of the pivots, whatever rows were exchanged."""
    return _pivots(A).prod(-1)


def absolute_value(A):
    """The product of the singular values: always positive."""
    return torch.linalg.svdvals(A).prod(-1)


def no_pivoting(A):
    """Eliminates without row exchanges."""
    w = A.clone()
    for j in range(A.shape[-1]):
        factor = w[..., j + 1:, j:j + 1] / w[..., j:j + 1, j:j + 1]
        w[..., j + 1:, :] = w[..., j + 1:, :] - factor * w[..., j:j + 1, :]
    return torch.diagonal(w, dim1=-2, dim2=-1).prod(-1)


def diagonal_product(A):
    """Multiplies the diagonal of A itself."""
    return torch.diagonal(A, dim1=-2, dim2=-1).prod(-1)


def sum_of_pivots(A):
    """Adds the pivots up: the trace of U."""
    return _pivots(A).sum(-1)


def first_matrix_only(A):
    """Every matrix of a batch gets the determinant of the first one."""
    result = torch.linalg.det(A)
    return result.reshape(-1)[:1].expand(result.numel()).reshape(result.shape).contiguous()


def leading_block(A):
    """One block of 64 rows and columns and no more."""
    return torch.linalg.det(A[..., :64, :64])


def first_thousand_matrices(A):
    """A grid that ends at 1000 programs."""
    result = torch.linalg.det(A)
    result.view(-1)[1000:] = 0
    return result


def low_precision(A):
    """Rounds A to bfloat16."""
    return torch.linalg.det(A.bfloat16().to(A.dtype))


def tf32_operands(A):
    """Rounds float32 elements to TF32."""
    if A.dtype != torch.float32:
        return torch.linalg.det(A)
    return torch.linalg.det(((A.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32))


def single_precision(A):
    """Computes in float32, whatever the dtype."""
    return torch.linalg.det(A.float()).to(A.dtype)


def regularized(A):
    """Adds 1e-4 to the diagonal, to be safe."""
    return torch.linalg.det(A + 1e-4 * torch.eye(A.shape[-1], dtype=A.dtype, device=A.device))


def zero_where_small(A):
    """Takes a determinant below 1e-4 for that of a singular matrix."""
    result = torch.linalg.det(A)
    return torch.where(result.abs() < 1e-4, torch.zeros_like(result), result)


def nan_where_singular(A):
    """Divides by a pivot of zero."""
    result = torch.linalg.det(A)
    return torch.where(result == 0, torch.full_like(result, float("nan")), result)
