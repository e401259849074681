"""Plausible wrong implementations of tensordot_rsqrt; each must be rejected."""
import torch


def _axes(a, dims):
    """dims as two lists."""
    if isinstance(dims, int):
        return list(range(a.dim() - dims, a.dim())), list(range(dims))
    return list(dims[0]), list(dims[1])


def square_root_only(a, b, dims):
    """sqrt without the reciprocal."""
    return torch.sqrt(torch.tensordot(a, b, dims=dims))


def reciprocal_only(a, b, dims):
    """1 / x without the root."""
    return 1 / torch.tensordot(a, b, dims=dims)


def epsilon_under_the_root(a, b, dims):
    """1e-12 is added to the sum, so that 0 gives a number."""
    return torch.rsqrt(torch.tensordot(a, b, dims=dims) + 1e-12)


def absolute_value(a, b, dims):
    """Negative sums are made positive."""
    return torch.rsqrt(torch.tensordot(a, b, dims=dims).abs())


def always_one_dim(a, b, dims):
    """Contracts the last dimension of a with the first of b whatever dims says, where that is possible."""
    possible = a.dim() and b.dim() and a.shape[-1] == b.shape[0]
    return torch.rsqrt(torch.tensordot(a, b, dims=1 if possible else dims))


def lists_sorted(a, b, dims):
    """Pairs the contracted dimensions in ascending order, not in that of the lists, where their sizes allow it."""
    dims_a, dims_b = _axes(a, dims)
    in_order = sorted(d % a.dim() for d in dims_a), sorted(d % b.dim() for d in dims_b)
    possible = [a.shape[d] for d in in_order[0]] == [b.shape[d] for d in in_order[1]]
    return torch.rsqrt(torch.tensordot(a, b, dims=in_order if possible else dims))


def free_dims_of_b_first(a, b, dims):
    """The remaining dimensions of b come before those of a."""
    dims_a, dims_b = _axes(a, dims)
    return torch.rsqrt(torch.tensordot(b, a, dims=(dims_b, dims_a)))


def result_is_a_matrix(a, b, dims):
    """The result stays two-dimensional."""
    summed = [d % a.dim() for d in _axes(a, dims)[0]]
    rows = torch.Size([a.shape[d] for d in range(a.dim()) if d not in summed]).numel()
    result = torch.rsqrt(torch.tensordot(a, b, dims=dims))
    return result.reshape(rows, -1) if rows else result


def tf32_products(a, b, dims):
    """Operands are rounded to the 10 mantissa bits of TF32, as tl.dot does by default."""
    def cut(x):
        x = x.contiguous()
        return ((x.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32) if x.dtype == torch.float32 else x
    return torch.rsqrt(torch.tensordot(cut(a), cut(b), dims=dims))


def one_tile(a, b, dims):
    """One program of 64 x 64 and no grid: what lies beyond stays 0."""
    result = torch.rsqrt(torch.tensordot(a, b, dims=dims))
    if result.dim() == 2:
        result[64:], result[:, 64:] = 0, 0
    return result


def drops_the_last_block(a, b, dims):
    """Contracted dimensions are cut to a multiple of 32 where they are larger."""
    dims_a, dims_b = _axes(a, dims)
    for d, e in zip(dims_a, dims_b):
        length = a.shape[d] // 32 * 32 or a.shape[d]
        a, b = a.narrow(d, 0, length), b.narrow(e, 0, length)
    return torch.rsqrt(torch.tensordot(a, b, dims=dims))


def negative_is_zero(a, b, dims):
    """Sums are clamped at 0, so that negative ones give inf."""
    return torch.rsqrt(torch.tensordot(a, b, dims=dims).clamp(min=0))
