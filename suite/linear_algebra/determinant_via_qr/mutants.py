"""Plausible wrong determinants; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def _diagonal(A):
    return torch.diagonal(torch.linalg.qr(A)[1], dim1=-2, dim2=-1)


def sign_of_q_dropped(A, *, mode="reduced", out=None):
    """The product of the diagonal of R, as if Q were a rotation."""
    return _give(_diagonal(A).prod(-1), out)


def always_reflections(A, *, mode="reduced", out=None):
    """Takes det Q for (-1)^n, also where a column needs no reflection."""
    r = torch.diagonal(torch.geqrf(A)[0], dim1=-2, dim2=-1)
    return _give(r.prod(-1) * (-1) ** A.shape[-1], out)


def parity_of_size(A, *, mode="reduced", out=None):
    """Takes det Q for (-1)^(n - 1), as if every column but the last were reflected."""
    r = torch.diagonal(torch.geqrf(A)[0], dim1=-2, dim2=-1)
    return _give(r.prod(-1) * (-1) ** max(A.shape[-1] - 1, 0), out)


def absolute_value(A, *, mode="reduced", out=None):
    """The root of the determinant of A^T A: always positive."""
    return _give(torch.linalg.svdvals(A).prod(-1), out)


def diagonal_product(A, *, mode="reduced", out=None):
    """Multiplies the diagonal of A itself."""
    return _give(torch.diagonal(A, dim1=-2, dim2=-1).prod(-1), out)


def trace_of_r(A, *, mode="reduced", out=None):
    """Adds the diagonal of R up."""
    return _give(_diagonal(A).sum(-1), out)


def first_matrix_only(A, *, mode="reduced", out=None):
    """Every matrix of a batch gets the determinant of the first one."""
    result = torch.linalg.det(A)
    return _give(result.reshape(-1)[:1].expand(result.numel()).reshape(result.shape).contiguous(), out)


def leading_block(A, *, mode="reduced", out=None):
    """One block of 64 rows and columns and no more."""
    return _give(torch.linalg.det(A[..., :64, :64]), out)


def first_thousand_matrices(A, *, mode="reduced", out=None):
    """A grid that ends at 1000 programs."""
    result = torch.linalg.det(A)
    result.view(-1)[1000:] = 0
    return _give(result, out)


def low_precision(A, *, mode="reduced", out=None):
    """Rounds A to bfloat16."""
    return _give(torch.linalg.det(A.bfloat16().to(A.dtype)), out)


def tf32_operands(A, *, mode="reduced", out=None):
    """Rounds float32 elements to TF32."""
    if A.dtype != torch.float32:
        return _give(torch.linalg.det(A), out)
    return _give(torch.linalg.det(((A.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)), out)


def single_precision(A, *, mode="reduced", out=None):
    """Computes in float32, whatever the dtype."""
    return _give(torch.linalg.det(A.float()).to(A.dtype), out)


def regularized(A, *, mode="reduced", out=None):
    """Adds 1e-4 to the diagonal, to be safe."""
    return _give(torch.linalg.det(A + 1e-4 * torch.eye(A.shape[-1], dtype=A.dtype, device=A.device)), out)


def zero_where_small(A, *, mode="reduced", out=None):
    """Takes a determinant below 1e-4 for that of a singular matrix."""
    result = torch.linalg.det(A)
    return _give(torch.where(result.abs() < 1e-4, torch.zeros_like(result), result), out)


def nan_where_singular(A, *, mode="reduced", out=None):
    """Divides by the length of a column of zeros."""
    result = torch.linalg.det(A)
    return _give(torch.where(result == 0, torch.full_like(result, float("nan")), result), out)


def log_of_absolute_value(A, *, mode="reduced", out=None):
    """Returns log |det|, as slogdet gives it, in the complete mode."""
    result = torch.linalg.slogdet(A)[1] if mode == "complete" else torch.linalg.det(A)
    return _give(result, out)


def out_not_written(A, *, mode="reduced", out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.linalg.det(A)
