"""Matrix inverse: the PyTorch reference (LAPACK's LU with partial pivoting)."""
import torch


def invert_matrix_lu(A, *, pivot=True, out=None):
    """The inverse; into `out` when it is given. `pivot` only concerns how it is found."""
    result = torch.linalg.inv(A)
    return result if out is None else out.copy_(result)
