"""Wrong versions of eig, one fault each."""
import torch


def _complex(A):
    return A.to(torch.complex128 if A.dtype == torch.float64 else torch.complex64)


def symmetric_only(A):
    """Takes A for symmetric: a solver that reads one triangle."""
    values, vectors = torch.linalg.eigh(A)
    return _complex(values), _complex(vectors)


def real_parts(A):
    """Drops the imaginary parts of eigenvalues."""
    values, vectors = torch.linalg.eig(A)
    return _complex(values.real), vectors


def not_normalized(A):
    """Leaves eigenvectors at the length where their largest element is 1."""
    values, vectors = torch.linalg.eig(A)
    largest = vectors.abs().amax(-2, keepdim=True)
    return values, 2 * vectors / largest if A.shape[-1] > 1 else vectors


def rows_for_columns(A):
    """Returns the vectors as rows."""
    values, vectors = torch.linalg.eig(A)
    return values, vectors.transpose(-1, -2).contiguous()


def left_vectors(A):
    """The eigenvectors of A^T."""
    return tuple(torch.linalg.eig(A.transpose(-1, -2)))


def conjugated_vectors(A):
    """Pairs an eigenvalue with the vector of its conjugate."""
    values, vectors = torch.linalg.eig(A)
    return values, vectors.conj().resolve_conj()


def sorted_values_only(A):
    """Sorts the eigenvalues by size and leaves the vectors where they were."""
    values, vectors = torch.linalg.eig(A)
    order = values.abs().argsort(-1)
    return values.gather(-1, order), vectors


def schur_vectors(A):
    """The orthonormal basis of a Schur form: only its first column is an eigenvector."""
    values, vectors = torch.linalg.eig(A)
    return values, torch.linalg.qr(vectors)[0]


def one_vector_for_all(A):
    """Repeats the first eigenpair."""
    values, vectors = torch.linalg.eig(A)
    return values[..., :1].expand(values.shape).clone(), vectors[..., :1].expand(vectors.shape).clone()


def diagonal(A):
    """The diagonal for eigenvalues, the identity for vectors."""
    eye = torch.eye(A.shape[-1], dtype=A.dtype, device=A.device).expand(A.shape)
    return _complex(torch.diagonal(A, dim1=-2, dim2=-1)).clone(), _complex(eye).clone()


def unshifted_iteration(A):
    """Twenty QR steps without shifts; what is left below the diagonal is dropped."""
    h, z = A.clone(), torch.eye(A.shape[-1], dtype=A.dtype, device=A.device).expand(A.shape)
    for _ in range(20):
        q, r = torch.linalg.qr(h)
        h, z = r @ q, z @ q
    values, vectors = torch.linalg.eig(torch.triu(h))
    return values, _complex(z) @ vectors


def first_matrix_only(A):
    """Every matrix of a batch gets the result of the first one."""
    flat = A.reshape(-1, *A.shape[-2:])
    values, vectors = torch.linalg.eig(flat[:1].expand(flat.shape))
    return values.reshape(A.shape[:-1]), vectors.reshape(A.shape)


def low_precision(A):
    """Works on A rounded to bfloat16."""
    return tuple(torch.linalg.eig(A.bfloat16().to(A.dtype)))


def single_precision(A):
    """Works in float32 also where A is float64."""
    return tuple(x.to(_complex(A).dtype) for x in torch.linalg.eig(A.float()))
