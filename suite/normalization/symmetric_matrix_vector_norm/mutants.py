"""Plausible wrong norms of a symmetric product; each must be rejected."""
import torch


def _norm(z, p):
    return torch.linalg.vector_norm(z, ord=p)


def alpha_ignored(A, x, alpha, beta, p=2.0):
    """Does not scale the product."""
    return _norm((1 + beta) * torch.mv(A, x), p)


def beta_ignored(A, x, alpha, beta, p=2.0):
    """Adds nothing: y starts as zeros."""
    return _norm(alpha * torch.mv(A, x), p)


def beta_times_x(A, x, alpha, beta, p=2.0):
    """alpha * A x + beta * x."""
    return _norm(alpha * torch.mv(A, x) + beta * x, p)


def beta_times_unscaled(A, x, alpha, beta, p=2.0):
    """alpha * A x + beta * A x."""
    return _norm((alpha + beta) * torch.mv(A, x), p)


def beta_alone(A, x, alpha, beta, p=2.0):
    """beta * alpha * A x: replaces where it should add."""
    return _norm(beta * alpha * torch.mv(A, x), p)


def p_ignored(A, x, alpha, beta, p=2.0):
    """Always the Euclidean norm."""
    return _norm(alpha * (1 + beta) * torch.mv(A, x), 2.0)


def one_or_two(A, x, alpha, beta, p=2.0):
    """Knows p = 1 and takes everything else for 2."""
    return _norm(alpha * (1 + beta) * torch.mv(A, x), 1.0 if p == 1.0 else 2.0)


def finite_powers_only(A, x, alpha, beta, p=2.0):
    """Raises to the power inf, which is no maximum."""
    return (alpha * (1 + beta) * torch.mv(A, x)).abs().pow(p).sum().pow(1 / p)


def root_forgotten(A, x, alpha, beta, p=2.0):
    """The sum of the powers, without the root."""
    return _norm(alpha * (1 + beta) * torch.mv(A, x), p) ** p


def signed_factor(A, x, alpha, beta, p=2.0):
    """Scales the norm instead of the vector and loses the absolute value of the factor."""
    return alpha * (1 + beta) * _norm(torch.mv(A, x), p)


def absolute_value_forgotten(A, x, alpha, beta, p=2.0):
    """Sums z itself where p is 1."""
    z = alpha * (1 + beta) * torch.mv(A, x)
    return z.sum() if p == 1.0 else _norm(z, p)


def mean_of_powers(A, x, alpha, beta, p=2.0):
    """Divides the sum by n."""
    return _norm(alpha * (1 + beta) * torch.mv(A, x), p) / max(x.numel(), 1) ** (1 / p)


def lower_triangle_only(A, x, alpha, beta, p=2.0):
    """Reads one triangle and forgets to mirror it."""
    return _norm(alpha * (1 + beta) * torch.mv(A.tril(), x), p)


def diagonal_twice(A, x, alpha, beta, p=2.0):
    """Mirrors the diagonal, too."""
    return _norm(alpha * (1 + beta) * (torch.mv(A, x) + torch.diagonal(A) * x), p)


def one_block(A, x, alpha, beta, p=2.0):
    """One block of 256 rows and columns, and no more."""
    return _norm(alpha * (1 + beta) * torch.mv(A[:256, :256], x[:256]), p)


def last_block_of_columns(A, x, alpha, beta, p=2.0):
    """Overwrites where it should add: only the last block of 64 columns counts."""
    start = max((x.numel() - 1) // 64 * 64, 0)
    return _norm(alpha * (1 + beta) * torch.mv(A[:, start:], x[start:]), p)


def quadratic_form(A, x, alpha, beta, p=2.0):
    """The A-norm of x in place of a norm of A x."""
    return (alpha * (1 + beta) * torch.dot(x, torch.mv(A, x))).abs().sqrt()


def result_of_one_element(A, x, alpha, beta, p=2.0):
    """A tensor of shape (1) in place of a 0-d one."""
    return _norm(alpha * (1 + beta) * torch.mv(A, x), p).reshape(1)


def low_precision(A, x, alpha, beta, p=2.0):
    """Rounds A to bfloat16."""
    return _norm(alpha * (1 + beta) * torch.mv(A.bfloat16().to(A.dtype), x), p)


def tf32_product(A, x, alpha, beta, p=2.0):
    """Rounds float32 operands to TF32."""
    def rounded(t):
        if t.dtype != torch.float32:
            return t
        return ((t.contiguous().view(torch.int32) + 0x1000) & -0x2000).view(torch.float32)
    return _norm(alpha * (1 + beta) * torch.mv(rounded(A), rounded(x)), p)


def single_precision(A, x, alpha, beta, p=2.0):
    """Computes in float32, whatever the dtype."""
    return _norm(alpha * (1 + beta) * torch.mv(A.float(), x.float()), p).to(A.dtype)
