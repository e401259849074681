"""Plausible wrong matrix powers; each must be rejected."""
import torch


def _give(result, out):
    return result if out is None else out.copy_(result)


def elementwise(A, k, *, out=None):
    """Raises every element to the power."""
    return _give(A.pow(k), out)


def complex_result(A, k, *, out=None):
    """Uses the eigenvalues of a general matrix and returns what comes out, which is complex."""
    values, vectors = torch.linalg.eig(A)
    result = (vectors * values.pow(k).unsqueeze(-2)) @ torch.linalg.inv(vectors)
    return result if out is None else out.copy_(result.real)


def whole_powers_only(A, k, *, out=None):
    """Cuts k to a whole number and multiplies."""
    return _give(torch.linalg.matrix_power(A, int(k)), out)


def absolute_eigenvalues(A, k, *, out=None):
    """Takes singular values for eigenvalues: signs are lost."""
    values, vectors = torch.linalg.eigh(A)
    return _give((vectors * values.abs().pow(k).unsqueeze(-2)) @ vectors.transpose(-1, -2), out)


def negative_eigenvalues_dropped(A, k, *, out=None):
    """Clamps eigenvalues at 1e-6."""
    values, vectors = torch.linalg.eigh(A)
    return _give((vectors * values.clamp(min=1e-6).pow(k).unsqueeze(-2)) @ vectors.transpose(-1, -2), out)


def not_transposed(A, k, *, out=None):
    """V diag(l^k) V."""
    values, vectors = torch.linalg.eigh(A)
    return _give((vectors * values.pow(k).unsqueeze(-2)) @ vectors, out)


def diagonal_only(A, k, *, out=None):
    """The powers of the eigenvalues on the diagonal, not rotated back."""
    return _give(torch.diag_embed(torch.linalg.eigh(A)[0].pow(k)), out)


def low_precision(A, k, *, out=None):
    """Works on A rounded to bfloat16."""
    values, vectors = torch.linalg.eigh(A.bfloat16().to(A.dtype))
    return _give((vectors * values.pow(k).unsqueeze(-2)) @ vectors.transpose(-1, -2), out)


def exponent_sign_ignored(A, k, *, out=None):
    """Uses |k|."""
    values, vectors = torch.linalg.eigh(A)
    return _give((vectors * values.pow(abs(k)).unsqueeze(-2)) @ vectors.transpose(-1, -2), out)


def out_not_written(A, k, *, out=None):
    """Returns a fresh tensor and leaves out as it was."""
    values, vectors = torch.linalg.eigh(A)
    return (vectors * values.pow(k).unsqueeze(-2)) @ vectors.transpose(-1, -2)


def first_512_matrices(A, k, *, out=None):
    """Works on 512 matrices of a batch; the others' results stay 0."""
    y = torch.linalg.eigh(A)
    y = (y[1] * y[0].pow(k).unsqueeze(-2)) @ y[1].transpose(-1, -2)
    y = y.contiguous().clone()
    y.view(-1, *y.shape[y.dim() - 2:])[512:] = 0
    return _give(y, out)
