"""Wrong versions of symmetric_mm_and_abs_sum, one fault each."""
import torch


def _values(A, C, alpha, beta):
    return alpha * torch.mm(A, A.T) + beta * C


def plain_sum(A, C, alpha, beta):
    """No absolute values."""
    return _values(A, C, alpha, beta).sum()


def absolute_value_of_the_sum(A, C, alpha, beta):
    """|sum| instead of the sum of |.|."""
    return _values(A, C, alpha, beta).sum().abs()


def sum_of_both_absolute_values(A, C, alpha, beta):
    """|alpha A A^T| + |beta C|: absolute values before the two are added."""
    return (alpha * torch.mm(A, A.T)).abs().sum() + (beta * C).abs().sum()


def c_taken_for_symmetric(A, C, alpha, beta):
    """Counts the lower half twice."""
    values = _values(A, C, alpha, beta).abs()
    return 2 * torch.tril(values, -1).sum() + values.diagonal().sum()


def alpha_scales_everything(A, C, alpha, beta):
    """alpha multiplies C too."""
    return (alpha * (torch.mm(A, A.T) + beta * C)).abs().sum()


def beta_ignored(A, C, alpha, beta):
    """C is added as it is."""
    return _values(A, C, alpha, 1.0).abs().sum()


def tf32_products(A, C, alpha, beta):
    """A is rounded to the 10 mantissa bits of TF32."""
    cut = ((A.contiguous().view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)
    return _values(cut, C, alpha, beta).abs().sum()


def sum_of_squares(A, C, alpha, beta):
    """The Frobenius norm's square."""
    return (_values(A, C, alpha, beta) ** 2).sum()


def edge_tiles_missing(A, C, alpha, beta):
    """Only whole tiles of 32 are added up, where there are some."""
    n = A.shape[0] // 32 * 32 or A.shape[0]
    return _values(A, C, alpha, beta)[:n, :n].abs().sum()


def wrapped_rows_count(A, C, alpha, beta):
    """Rows past the edge of the last tile wrap around and are added up as well."""
    values = _values(A, C, alpha, beta).abs()
    n = values.shape[0]
    extra = values[:-n % 32] if n > 32 else values[:0]
    return values.sum() + extra.sum()


def shape_of_one(A, C, alpha, beta):
    """The result has shape (1,) instead of ()."""
    return _values(A, C, alpha, beta).abs().sum().view(1)
