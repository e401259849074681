"""Plausible wrong ways to use a Cholesky factor; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def _lower(L, upper):
    return L.triu().mT if upper else L.tril()


def upper_ignored(B, L, upper=False, out=None):
    """Takes the factor for a lower triangle always."""
    return _give(torch.cholesky_solve(B, L), out)


def forward_only(B, L, upper=False, out=None):
    """Solves T Y = B and stops."""
    batch = torch.broadcast_shapes(B.shape[:-2], L.shape[:-2])
    return _give(torch.linalg.solve_triangular(_lower(L, upper), B, upper=False).expand(*batch, *B.shape[-2:]), out)


def lower_twice(B, L, upper=False, out=None):
    """Uses T where its transpose belongs."""
    lower = _lower(L, upper)
    y = torch.linalg.solve_triangular(lower, B, upper=False)
    return _give(torch.linalg.solve_triangular(lower, y, upper=False), out)


def wrong_order(B, L, upper=False, out=None):
    """Solves T^T T X = B."""
    lower = _lower(L, upper)
    y = torch.linalg.solve_triangular(lower.mT, B, upper=True)
    return _give(torch.linalg.solve_triangular(lower, y, upper=False), out)


def factor_taken_for_the_matrix(B, L, upper=False, out=None):
    """Solves with the factor itself in place of A, both triangles of it."""
    return _give(torch.linalg.solve(L.nan_to_num(), B), out)


def both_triangles(B, L, upper=False, out=None):
    """Forms A from all of L, the other triangle included."""
    full = L.nan_to_num()
    return _give(torch.linalg.solve_ex(full.mT @ full if upper else full @ full.mT, B)[0], out)


def product(B, L, upper=False, out=None):
    """Multiplies with A instead of solving."""
    lower = _lower(L, upper)
    return _give(lower @ (lower.mT @ B), out)


def diagonal_only(B, L, upper=False, out=None):
    """Divides by the squares of the diagonal."""
    batch = torch.broadcast_shapes(B.shape[:-2], L.shape[:-2])
    d = torch.diagonal(L, dim1=-2, dim2=-1).unsqueeze(-1)
    return _give((B / (d * d)).expand(*batch, *B.shape[-2:]), out)


def positive_diagonal_assumed(B, L, upper=False, out=None):
    """Takes absolute values of the diagonal."""
    lower = _lower(L, upper)
    d = torch.diagonal(lower, dim1=-2, dim2=-1)
    return _give(torch.cholesky_solve(B, lower.tril(-1) + torch.diag_embed(d.abs())), out)


def first_right_side(B, L, upper=False, out=None):
    """Every column of X is the solution for the first right-hand side."""
    x = torch.cholesky_solve(B, L, upper=upper)
    return _give(x[..., :1].expand_as(x).contiguous(), out)


def right_sides_cut(B, L, upper=False, out=None):
    """One block of 128 right-hand sides and no more."""
    x = torch.cholesky_solve(B, L, upper=upper)
    x[..., 128:] = 0
    return _give(x, out)


def first_factor_only(B, L, upper=False, out=None):
    """Every system of a batch is solved with the first factor."""
    first = L.reshape(-1, *L.shape[-2:])[:1].expand(L[..., 0, 0].numel(), -1, -1).reshape(L.shape)
    return _give(torch.cholesky_solve(B, first, upper=upper), out)


def first_thousand_systems(B, L, upper=False, out=None):
    """A grid that ends at 1000 programs."""
    x = torch.cholesky_solve(B, L, upper=upper)
    if x.dim() == 3:
        x[1000:] = 0
    return _give(x, out)


def unknowns_cut(B, L, upper=False, out=None):
    """Blocks of 64 unknowns that do not see each other."""
    x = torch.cholesky_solve(B, L, upper=upper)
    for first in range(64 if L.shape[-1] > 64 else L.shape[-1], L.shape[-1], 64):
        part = slice(first, first + 64)
        x[..., part, :] = torch.cholesky_solve(B[..., part, :], L[..., part, part], upper=upper)
    return _give(x, out)


def few_jacobi_steps(B, L, upper=False, out=None):
    """Iterates both solves 24 times in place of substituting."""
    lower = _lower(L, upper).nan_to_num()
    d = torch.diagonal(lower, dim1=-2, dim2=-1).unsqueeze(-1)
    y = x = torch.zeros_like(torch.cholesky_solve(B, L, upper=upper))
    for _ in range(24):
        y = (B - lower.tril(-1) @ y) / d
    for _ in range(24):
        x = (y - lower.tril(-1).mT @ x) / d
    return _give(x, out)


def low_precision(B, L, upper=False, out=None):
    """Rounds the factor to bfloat16."""
    return _give(torch.cholesky_solve(B, L.bfloat16().to(L.dtype), upper=upper), out)


def tf32_operands(B, L, upper=False, out=None):
    """Rounds a float32 factor to TF32."""
    if L.dtype == torch.float32:
        L = ((L.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    return _give(torch.cholesky_solve(B, L, upper=upper), out)


def single_precision(B, L, upper=False, out=None):
    """Computes in float32, whatever the dtype."""
    return _give(torch.cholesky_solve(B.float(), L.float(), upper=upper).to(B.dtype), out)


def out_not_written(B, L, upper=False, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    return torch.cholesky_solve(B, L, upper=upper)
