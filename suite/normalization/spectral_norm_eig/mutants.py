"""Plausible wrong spectral norms; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def spectral_radius(A, *, out=None):
    """The largest |eigenvalue| of A: the same for symmetric matrices only."""
    return _give(torch.linalg.eigvals(A).abs().amax(-1), out)


def symmetric_part(A, *, out=None):
    """Takes A for symmetric: a solver that reads one triangle."""
    return _give(torch.linalg.eigvalsh(A).abs().amax(-1), out)


def largest_eigenvalue_signed(A, *, out=None):
    """The largest eigenvalue of the symmetric part, not the one of largest magnitude."""
    return _give(torch.linalg.eigvalsh((A + A.transpose(-1, -2)) / 2)[..., -1], out)


def frobenius(A, *, out=None):
    """The root of the sum of squares."""
    return _give((A * A).sum((-1, -2)).sqrt(), out)


def not_rooted(A, *, out=None):
    """The largest eigenvalue of A^T A without the root."""
    return _give(torch.linalg.eigvalsh(A.transpose(-1, -2) @ A)[..., -1], out)


def smallest(A, *, out=None):
    """The smallest singular value: the wrong end of a sorted list."""
    return _give(torch.linalg.svdvals(A)[..., -1], out)


def largest_row(A, *, out=None):
    """The length of the longest row."""
    return _give((A * A).sum(-1).sqrt().amax(-1), out)


def ten_power_steps(A, *, out=None):
    """Ten steps of the power iteration from a vector of ones."""
    v = torch.ones(*A.shape[:-1], 1, dtype=A.dtype, device=A.device)
    for _ in range(10):
        v = A.transpose(-1, -2) @ (A @ v)
        v = v / v.norm(dim=-2, keepdim=True).clamp(min=1e-30)
    return _give((A @ v).norm(dim=-2).squeeze(-1), out)


def hundred_power_steps(A, *, out=None):
    """A hundred steps from a start that is orthogonal to no singular vector in particular: too few for close values."""
    v = torch.linspace(1, 2, A.shape[-1], dtype=A.dtype, device=A.device).unsqueeze(-1).expand(*A.shape[:-1], 1)
    for _ in range(100):
        v = A.transpose(-1, -2) @ (A @ v)
        v = v / v.norm(dim=-2, keepdim=True).clamp(min=1e-30)
    return _give((A @ v).norm(dim=-2).squeeze(-1), out)


def over_the_whole_batch(A, *, out=None):
    """One number for all matrices."""
    norms = torch.linalg.matrix_norm(A, 2)
    return _give(norms.amax().expand(norms.shape).clone() if norms.numel() else norms, out)


def low_precision(A, *, out=None):
    """Works on A rounded to bfloat16."""
    return _give(torch.linalg.matrix_norm(A.bfloat16().to(A.dtype), 2), out)


def out_not_written(A, *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.linalg.matrix_norm(A, 2)


def first_512_matrices(A, *, out=None):
    """Works on 512 matrices of a batch; the others' results stay 0."""
    y = torch.linalg.matrix_norm(A, 2)
    y = y.contiguous().clone()
    y.view(-1, *())[512:] = 0
    return _give(y, out)
