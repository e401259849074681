"""Spectral norm in Triton by one-sided Jacobi: a program owns one matrix.

Rotations of pairs of rows make all rows orthogonal; their lengths then are the singular values, the roots of the
eigenvalues of A A^T, without ever forming that product. In a round every row belongs to one pair (the schedule of a
tournament), so that all pairs of a round turn at once; the program's threads exchange rows through global memory.
"""
import torch
import triton
import triton.language as tl

SWEEPS = 30  # an upper bound: sweeps end when no pair was rotated, after 5 to 9
TILE = 4096


@triton.jit(do_not_specialize=["n"])
def jacobi_kernel(
    w_ptr, norm_ptr, n, tiny, negligible,
    SWEEPS: tl.constexpr, PAIRS: tl.constexpr, N_BLOCK: tl.constexpr,
):
    w_ptr += tl.program_id(0).to(tl.int64) * n * n
    cols = tl.arange(0, N_BLOCK)
    even = n + n % 2
    rounds = even - 1
    rotated = 1
    for _ in range(SWEEPS):
        todo = tl.where(rotated > 0, rounds, 0)
        rotated = 0
        for r in range(todo):
            for first in range(0, even // 2, PAIRS):
                # Row `rounds` sits still, the others walk in a circle; an odd n leaves one of them out.
                i = first + tl.arange(0, PAIRS)
                one, two = tl.where(i == 0, rounds, (r + i) % rounds), (r - i + rounds) % rounds
                p, q = tl.minimum(one, two), tl.maximum(one, two)
                mask = ((i < even // 2) & (q < n))[:, None] & (cols < n)[None, :]
                a = tl.load(w_ptr + p[:, None] * n + cols[None, :], mask=mask, other=0.0)
                b = tl.load(w_ptr + q[:, None] * n + cols[None, :], mask=mask, other=0.0)
                aa, bb, ab = tl.sum(a * a, axis=1), tl.sum(b * b, axis=1), tl.sum(a * b, axis=1)
                turns = tl.abs(ab) > tiny * tl.sqrt(aa) * tl.sqrt(bb)
                turns = turns & (tl.minimum(aa, bb) > negligible * tl.maximum(aa, bb))
                zeta = (bb - aa) / tl.where(turns, 2.0 * ab, 1.0)
                t = tl.where(zeta >= 0, 1.0, -1.0) / (tl.abs(zeta) + tl.sqrt(1.0 + zeta * zeta))
                c = 1.0 / tl.sqrt(1.0 + t * t)
                s = (c * t)[:, None]
                tau = s / (1.0 + c)[:, None]  # c a - s b = a - s (b + tau a): small turns cause small rounding errors
                mask = mask & turns[:, None]
                tl.debug_barrier()  # everybody has read before anybody writes
                tl.store(w_ptr + p[:, None] * n + cols[None, :], a - s * (b + tau * a), mask=mask)
                tl.store(w_ptr + q[:, None] * n + cols[None, :], b + s * (a - tau * b), mask=mask)
                rotated = tl.maximum(rotated, tl.max(turns.to(tl.int32), axis=0))
            tl.debug_barrier()
    largest = tl.full((), 0.0, w_ptr.dtype.element_ty)
    for p in range(n):
        a = tl.load(w_ptr + p * n + cols, mask=cols < n, other=0.0)
        largest = tl.maximum(largest, tl.sum(a * a, axis=0))
    tl.store(norm_ptr + tl.program_id(0), tl.sqrt(largest))


def spectral_norm_eig(A, *, out=None):
    n = A.shape[-1]
    batch = A.numel() // max(n * n, 1)
    w = A.reshape(batch, n, n).clone(memory_format=torch.contiguous_format)
    norm = torch.empty(A.shape[:-2], dtype=A.dtype, device=A.device)
    if A.numel() > 0:
        eps = torch.finfo(A.dtype).eps
        n_block = max(triton.next_power_of_2(n), 16)
        pairs = min(n_block // 2, max(TILE // n_block, 1))
        jacobi_kernel[(batch,)](
            w, norm, n, eps * max(4.0, n**0.5), max(eps**4, 1e-37), SWEEPS=SWEEPS, PAIRS=pairs, N_BLOCK=n_block,
            num_warps=min(max(pairs * n_block // 256, 1), 8),
        )
    return norm if out is None else out.copy_(norm)
