"""Real power of a symmetric matrix in Triton by one-sided Jacobi: a program owns one matrix.

B = A + shift I is positive definite. Rotations of pairs of columns make the columns of W = B V orthogonal; then V holds
the eigenvectors, and an eigenvalue of A is v . w - shift. W and V are kept transposed, so that a column is contiguous;
the program's threads exchange them through global memory. Everything between A and the result is float64: the shift
would cost float32 digits.
"""
import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

SWEEPS = 30  # an upper bound: sweeps end when no pair was rotated, after 5 to 8


@triton.jit
def shift_kernel(a_ptr, w_ptr, v_ptr, shift_ptr, n, N_BLOCK: tl.constexpr):
    """w = a + shift I and v = I, with shift a little above the largest sum of absolute values of a row."""
    batch = tl.program_id(0).to(tl.int64)
    rows, cols = tl.arange(0, N_BLOCK)[:, None], tl.arange(0, N_BLOCK)[None, :]
    at = batch * n * n + rows * n + cols
    a = tl.load(a_ptr + at, mask=(rows < n) & (cols < n), other=0.0).to(tl.float64)
    shift = 1.01 * tl.max(tl.sum(tl.abs(a), axis=1), axis=0)
    tl.store(shift_ptr + batch, shift)
    tl.store(w_ptr + at, tl.where(rows == cols, a + shift, a), mask=(rows < n) & (cols < n))
    tl.store(v_ptr + at, tl.where(rows == cols, 1.0, 0.0), mask=(rows < n) & (cols < n))


@triton.jit
def jacobi_kernel(
    w_ptr, v_ptr, values_ptr, shift_ptr, n, tiny, SWEEPS: tl.constexpr, N_BLOCK: tl.constexpr
):
    w_ptr += tl.program_id(0).to(tl.int64) * n * n
    v_ptr += tl.program_id(0).to(tl.int64) * n * n
    cols = tl.arange(0, N_BLOCK)
    rotated = 1
    for _ in range(SWEEPS):
        pairs = tl.where(rotated > 0, n - 1, 0)
        rotated = 0
        for p in range(pairs):
            for q in range(p + 1, n):
                a = tl.load(w_ptr + p * n + cols, mask=cols < n, other=0.0)
                b = tl.load(w_ptr + q * n + cols, mask=cols < n, other=0.0)
                aa, bb, ab = tl.sum(a * a, axis=0), tl.sum(b * b, axis=0), tl.sum(a * b, axis=0)
                if tl.abs(ab) > tiny * tl.sqrt(aa) * tl.sqrt(bb):
                    rotated = 1
                    zeta = (bb - aa) / (2.0 * ab)
                    t = tl.where(zeta >= 0, 1.0, -1.0) / (tl.abs(zeta) + tl.sqrt(1.0 + zeta * zeta))
                    c = 1.0 / tl.sqrt(1.0 + t * t)
                    s = c * t
                    x = tl.load(v_ptr + p * n + cols, mask=cols < n, other=0.0)
                    y = tl.load(v_ptr + q * n + cols, mask=cols < n, other=0.0)
                    tl.debug_barrier()  # everybody has read before anybody writes
                    tl.store(w_ptr + p * n + cols, c * a - s * b, mask=cols < n)
                    tl.store(w_ptr + q * n + cols, s * a + c * b, mask=cols < n)
                    tl.store(v_ptr + p * n + cols, c * x - s * y, mask=cols < n)
                    tl.store(v_ptr + q * n + cols, s * x + c * y, mask=cols < n)
                    tl.debug_barrier()
    shift = tl.load(shift_ptr + tl.program_id(0))
    for p in range(n):
        a = tl.load(w_ptr + p * n + cols, mask=cols < n, other=0.0)
        x = tl.load(v_ptr + p * n + cols, mask=cols < n, other=0.0)
        tl.store(values_ptr + tl.program_id(0) * n + p, tl.sum(a * x, axis=0) - shift)


@triton.jit
def power_kernel(v_ptr, values_ptr, k_ptr, out_ptr, n, M_TILE: tl.constexpr, N_BLOCK: tl.constexpr):
    """The sum of l_i^k v_i v_i^T for a tile of rows."""
    batch = tl.program_id(0).to(tl.int64)
    rows, cols = tl.program_id(1) * M_TILE + tl.arange(0, M_TILE), tl.arange(0, N_BLOCK)
    k = tl.load(k_ptr)
    total = tl.zeros((M_TILE, N_BLOCK), tl.float64)
    for i in range(n):
        power = libdevice.pow(tl.load(values_ptr + batch * n + i), k)
        left = tl.load(v_ptr + (batch * n + i) * n + rows, mask=rows < n, other=0.0)
        right = tl.load(v_ptr + (batch * n + i) * n + cols, mask=cols < n, other=0.0)
        total += (power * left)[:, None] * right[None, :]
    mask = (rows < n)[:, None] & (cols < n)[None, :]
    tl.store(out_ptr + (batch * n + rows[:, None]) * n + cols[None, :], total, mask=mask)


def matrix_power_eig(A, k, *, out=None):
    n = A.shape[-1]
    batch = A.numel() // max(n * n, 1)
    a = A.reshape(batch, n, n).contiguous()
    w = torch.empty((batch, n, n), dtype=torch.float64, device=A.device)
    v = torch.empty_like(w)
    shift = torch.empty((batch,), dtype=torch.float64, device=A.device)
    values = torch.empty((batch, n), dtype=torch.float64, device=A.device)
    power = torch.full((1,), float(k), dtype=torch.float64, device=A.device)
    result = torch.empty(A.shape, dtype=A.dtype, device=A.device)
    if A.numel() > 0:
        block = triton.next_power_of_2(n)
        shift_kernel[(batch,)](a, w, v, shift, n, N_BLOCK=block, num_warps=4)
        jacobi_kernel[(batch,)](w, v, values, shift, n, 1e-14, SWEEPS=SWEEPS, N_BLOCK=block, num_warps=1)
        tile = min(block, 32)
        power_kernel[(batch, triton.cdiv(n, tile))](v, values, power, result, n, M_TILE=tile, N_BLOCK=block)
    return result if out is None else out.copy_(result)
