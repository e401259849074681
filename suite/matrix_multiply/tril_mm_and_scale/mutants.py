"""Plausible wrong implementations of tril_mm_and_scale; each must be rejected."""
import torch


def full_product(A, B, alpha, beta):
    """Multiplies with all of A."""
    return beta * (alpha * torch.mm(A, B))


def upper_triangle(A, B, alpha, beta):
    """Keeps the other triangle."""
    return beta * (alpha * torch.mm(torch.triu(A), B))


def without_diagonal(A, B, alpha, beta):
    """The strict triangle: k < row instead of k <= row."""
    return beta * (alpha * torch.mm(torch.tril(A, -1), B))


def transposed_triangle(A, B, alpha, beta):
    """Rows and columns of A change places."""
    return beta * (alpha * torch.mm(torch.tril(A).T, B))


def triangle_of_tiles(A, B, alpha, beta):
    """Skips whole tiles of 16 above the diagonal and masks nothing inside those that it crosses."""
    tile = torch.arange(A.shape[0], device=A.device) // 16
    return beta * (alpha * torch.mm(torch.where(tile[:, None] >= tile, A, torch.zeros_like(A)), B))


def masks_by_multiplying(A, B, alpha, beta):
    """Multiplies with a triangle of ones: 0 * NaN is NaN."""
    return beta * (alpha * torch.mm(A * torch.tril(torch.ones_like(A)), B))


def beta_ignored(A, B, alpha, beta):
    """The final scaling is left out."""
    return alpha * torch.mm(torch.tril(A), B)


def scales_added(A, B, alpha, beta):
    """alpha + beta in place of their product."""
    return (alpha + beta) * torch.mm(torch.tril(A), B)


def tf32_products(A, B, alpha, beta):
    """Operands are rounded to the 10 mantissa bits of TF32, as tl.dot does by default."""
    def cut(x):
        x = x.contiguous()
        return ((x.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32) if x.dtype == torch.float32 else x
    return beta * (alpha * torch.mm(cut(torch.tril(A)), cut(B)))


def last_tile_row_missing(A, B, alpha, beta):
    """The grid has n // 64 tile rows: the ragged end stays 0."""
    result = beta * (alpha * torch.mm(torch.tril(A), B))
    if result.shape[0] > 64:
        result[result.shape[0] // 64 * 64:] = 0
    return result
