"""n-dimensional FFT in Triton: Stockham's mixed radix passes, one dimension after the other.

A dimension of size n is split into factors, 16 at most where n allows. In the state before a pass, its elements stand
as (r, m, s): r is the factor of this pass, m the product of those to come, s the product of those that are done and of
the sizes of all dimensions behind. A pass takes r elements at a distance of m * s, transforms them (a small matrix
product with the r-th roots of unity), turns element k of the column p by the angle of p * k, and writes them side by
side, as (m, r, s). After the last pass everything is in natural order, without bit reversal. A large prime factor is a
pass too, of r operations an element; every size is right, sizes with small factors are fast.
"""
import math
import struct

import torch
import triton
import triton.language as tl

TILE = 128     # columns of a program
RADIX = 16


@triton.jit
def roots_kernel(roots_ptr, n, BLOCK: tl.constexpr):
    """roots[t] = exp(-2 pi i t / n), computed in float64 whatever it is stored in."""
    t = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    angle = t.to(tl.float64) * 6.283185307179586 / n
    tl.store(roots_ptr + 2 * t, tl.cos(angle), mask=t < n)
    tl.store(roots_ptr + 2 * t + 1, -tl.sin(angle), mask=t < n)


@triton.jit(do_not_specialize=["columns", "r", "m", "s", "n", "rows", "scale_bits"])
def pass_kernel(x_ptr, y_ptr, roots_ptr, columns, r, m, s, n, rows, scale_bits,
                COMPLEX: tl.constexpr, ACC: tl.constexpr, K_TILE: tl.constexpr, TILE: tl.constexpr):
    column = tl.program_id(0).to(tl.int64) * TILE + tl.arange(0, TILE)
    q = column % s
    p = column // s % m
    outer = column // s // m
    k = tl.program_id(1) * K_TILE + tl.arange(0, K_TILE)

    # The transform of r elements: sum over j of x[j] * exp(-2 pi i j k / r).
    sum_re = tl.zeros((K_TILE, TILE), ACC)
    sum_im = tl.zeros((K_TILE, TILE), ACC)
    turn = tl.zeros((K_TILE,), tl.int32)  # j * k modulo r
    for j in range(r):
        row = p + j * m
        mask = (column < columns) & (row < rows)  # rows beyond the input are zeros
        at = (outer * rows + row) * s + q
        root = roots_ptr + 2 * (turn.to(tl.int64) * (n // r))
        w_re = tl.load(root)[:, None]
        w_im = tl.load(root + 1)[:, None]
        if COMPLEX:
            x_re = tl.load(x_ptr + 2 * at, mask=mask, other=0.0)[None, :]
            x_im = tl.load(x_ptr + 2 * at + 1, mask=mask, other=0.0)[None, :]
            sum_re += w_re * x_re - w_im * x_im
            sum_im += w_re * x_im + w_im * x_re
        else:
            x_re = tl.load(x_ptr + at, mask=mask, other=0.0)[None, :]
            sum_re += w_re * x_re
            sum_im += w_im * x_re
        turn += k % r
        turn = tl.where(turn >= r, turn - r, turn)

    # p * k < m * r, the size that is still to be transformed.
    inside = (k < r)[:, None] & (column < columns)[None, :]
    twist = roots_ptr + 2 * (p[None, :] * k[:, None] * (n // (m * r)))
    t_re = tl.load(twist, mask=inside, other=0.0)
    t_im = tl.load(twist + 1, mask=inside, other=0.0)
    scale = scale_bits.to(tl.int64).to(tl.float64, bitcast=True).to(ACC)
    y = tl.join((sum_re * t_re - sum_im * t_im) * scale, (sum_re * t_im + sum_im * t_re) * scale)
    at = ((outer * m + p)[None, :] * r + k[:, None]) * s + q[None, :]
    tl.store(y_ptr + 2 * at[:, :, None] + tl.arange(0, 2)[None, None, :], y, mask=inside[:, :, None])


def bits_of(value):
    """A float argument would arrive as float32: a double travels as the 64 bits it has."""
    return struct.unpack("<q", struct.pack("<d", value))[0]


def factors(n):
    """Factors of n for the passes: the largest divisor up to RADIX each time, or the smallest prime without one."""
    found = []
    while n > 1:
        small = [f for f in range(2, RADIX + 1) if n % f == 0]
        f = small[-1] if small else next((f for f in range(RADIX + 1, math.isqrt(n) + 1) if n % f == 0), n)
        found.append(f)
        n //= f
    return found or [1]


def transform(x, shape, d, n, scale, result):
    """The FFT of size n along dimension d of x (contiguous, of this shape), which is cut or padded to n there."""
    real = torch.view_as_real(result)
    roots = torch.empty((n, 2), dtype=real.dtype, device=x.device)
    roots_kernel[(triton.cdiv(n, 256),)](roots, n, BLOCK=256, num_warps=4)
    outer, rows, inner = math.prod(shape[:d]), shape[d], math.prod(shape[d + 1:])
    done, passes = 1, factors(n)
    for r in passes:
        last = done * r == n
        y = result if last else torch.empty_like(result)
        m = n // done // r
        columns = outer * m * done * inner
        k_tile = min(max(triton.next_power_of_2(r), 4), RADIX)
        pass_kernel[(triton.cdiv(columns, TILE), triton.cdiv(r, k_tile))](
            torch.view_as_real(x) if x.is_complex() else x, torch.view_as_real(y), roots,
            columns, r, m, done * inner, n, rows, bits_of(scale if last else 1.0),
            COMPLEX=x.is_complex(), ACC=tl.float64 if real.dtype == torch.float64 else tl.float32,
            K_TILE=k_tile, TILE=TILE, num_warps=4,
        )
        x, rows, done = y, m, done * r
    return result


def fftn(input, s=None, dim=None, norm=None, out=None):
    if dim is None:
        dims = list(range(input.dim() - len(s), input.dim()) if s is not None else range(input.dim()))
    else:
        dims = [d % input.dim() for d in dim]
    sizes = list(s) if s is not None else [input.shape[d] for d in dims]
    count = math.prod(sizes)
    scale = {"forward": 1 / count, "ortho": 1 / math.sqrt(count)}.get(norm, 1.0)

    x, shape = input.contiguous(), list(input.shape)
    dtype = torch.complex128 if x.dtype in (torch.float64, torch.complex128) else torch.complex64
    for d, n in reversed(list(zip(dims, sizes))):
        last = d == dims[0]
        after = shape[:d] + [n] + shape[d + 1:]
        direct = last and out is not None and out.is_contiguous()
        result = out if direct else torch.empty(after, dtype=dtype, device=x.device)
        if result.numel() > 0:
            x = transform(x, shape, d, n, scale if last else 1.0, result)
        x, shape = result, after
    return x if out is None or x is out else out.copy_(x)
