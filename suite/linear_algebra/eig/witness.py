"""Eigenvalues and eigenvectors of a general matrix in Triton: Hessenberg form, shifted QR, back substitution.

Three kernels, all in float64. Householder reflections bring A to Hessenberg form H (nothing below the first
subdiagonal). QR steps in complex arithmetic, whose shift is an eigenvalue of the trailing block of two, make one
subdiagonal element after the other vanish: A = Z T Z^H with T upper triangular, whose diagonal holds the eigenvalues.
An eigenvector of T follows from its last element upwards; Z turns it into one of A. In the first two kernels a program
owns one matrix, in the third one eigenvector. Complex matrices are kept as two planes, Z transposed, so that its
columns are contiguous. Threads exchange data through global memory; barriers stand between.
"""
import torch
import triton
import triton.language as tl

STEPS = 30  # QR steps an eigenvalue, an upper bound: two or three are usual
TILE = 2048
EPS = tl.constexpr(2.220446049250313e-16)


@triton.jit(do_not_specialize=["n"])
def hessenberg_kernel(a_ptr, h_ptr, z_ptr, v_ptr, norm_ptr, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """h = the Hessenberg form of a, z = the transposed product of its reflections, norm = |a|."""
    batch = tl.program_id(0).to(tl.int64)
    a_ptr += batch * n * n
    h_ptr += batch * n * n
    z_ptr += batch * n * n
    v_ptr += batch * n
    col = tl.arange(0, BLOCK)
    squares = tl.zeros((BLOCK,), tl.float64)
    for start in range(0, n, ROWS):
        row = start + tl.arange(0, ROWS)
        at = row[:, None] * n + col[None, :]
        mask = (row < n)[:, None] & (col < n)[None, :]
        a = tl.load(a_ptr + at, mask=mask, other=0.0).to(tl.float64)
        squares += tl.sum(a * a, axis=0)
        tl.store(h_ptr + at, a, mask=mask)
        tl.store(z_ptr + at, tl.where(row[:, None] == col[None, :], 1.0, 0.0).to(tl.float64), mask=mask)
    tl.store(norm_ptr + batch, tl.sqrt(tl.sum(squares, axis=0)))
    tl.debug_barrier()
    for k in range(n - 2):
        x = tl.load(h_ptr + col * n + k, mask=(col > k) & (col < n), other=0.0)
        head = tl.sum(tl.where(col == k + 1, x, 0.0), axis=0)
        tail = tl.where(col > k + 1, x, 0.0)
        tail_square = tl.sum(tail * tail, axis=0)
        length = tl.sqrt(head * head + tail_square)
        first = tl.where(head > 0, head + length, head - length)
        square = first * first + tail_square
        tau = tl.where(tail_square > 0, 2.0 / tl.where(square > 0, square, 1.0), 0.0)
        v = tl.where(col == k + 1, first, tail)
        tl.store(v_ptr + col, v, mask=col < n)
        tl.debug_barrier()
        h_sums = tl.zeros((BLOCK,), tl.float64)  # v^T H and v^T Z^T
        z_sums = tl.zeros((BLOCK,), tl.float64)
        for start in range(k + 1, n, ROWS):
            row = start + tl.arange(0, ROWS)
            at = row[:, None] * n + col[None, :]
            mask = (row < n)[:, None] & (col < n)[None, :]
            factor = tl.load(v_ptr + row, mask=row < n, other=0.0)[:, None]
            h_sums += tl.sum(factor * tl.load(h_ptr + at, mask=mask, other=0.0), axis=0)
            z_sums += tl.sum(factor * tl.load(z_ptr + at, mask=mask, other=0.0), axis=0)
        tl.debug_barrier()
        for start in range(0, n, ROWS):
            row = start + tl.arange(0, ROWS)
            at = row[:, None] * n + col[None, :]
            mask = (row < n)[:, None] & (col < n)[None, :]
            factor = tau * tl.load(v_ptr + row, mask=row < n, other=0.0)[:, None]
            h = tl.load(h_ptr + at, mask=mask, other=0.0) - factor * h_sums[None, :]
            h -= tau * tl.sum(h * v[None, :], axis=1)[:, None] * v[None, :]
            z = tl.load(z_ptr + at, mask=mask, other=0.0) - factor * z_sums[None, :]
            tl.store(h_ptr + at, h, mask=mask)
            tl.store(z_ptr + at, z, mask=mask)
        tl.debug_barrier()


@triton.jit
def root(x, y):
    """The square root of x + iy with a real part that is not negative."""
    size = tl.sqrt(x * x + y * y)
    re = tl.sqrt(tl.maximum(0.5 * (size + x), 0.0))
    im = tl.sqrt(tl.maximum(0.5 * (size - x), 0.0))
    return re, tl.where(y < 0, -im, im)


@triton.jit
def size_at(re_ptr, im_ptr, places, mask):
    re, im = tl.load(re_ptr + places, mask=mask, other=0.0), tl.load(im_ptr + places, mask=mask, other=0.0)
    return tl.abs(re) + tl.abs(im)


@triton.jit
def turn(re_ptr, im_ptr, first, second, mask, c, ci, s, si):
    """(x, y) becomes (c x + s y, c* y - s* x) for all elements x at `first`, y at `second`; * is the conjugate."""
    x, xi = tl.load(re_ptr + first, mask=mask, other=0.0), tl.load(im_ptr + first, mask=mask, other=0.0)
    y, yi = tl.load(re_ptr + second, mask=mask, other=0.0), tl.load(im_ptr + second, mask=mask, other=0.0)
    tl.debug_barrier()  # everybody has read before anybody writes
    tl.store(re_ptr + first, c * x - ci * xi + s * y - si * yi, mask=mask)
    tl.store(im_ptr + first, c * xi + ci * x + s * yi + si * y, mask=mask)
    tl.store(re_ptr + second, c * y + ci * yi - s * x - si * xi, mask=mask)
    tl.store(im_ptr + second, c * yi - ci * y - s * xi + si * x, mask=mask)
    tl.debug_barrier()


@triton.jit(do_not_specialize=["n", "steps"])
def qr_kernel(h_ptr, hi_ptr, z_ptr, zi_ptr, norm_ptr, n, steps, BLOCK: tl.constexpr):
    """Turns the Hessenberg matrix h + i hi into a triangular one, and z along with it."""
    batch = tl.program_id(0).to(tl.int64)
    h_ptr += batch * n * n
    hi_ptr += batch * n * n
    z_ptr += batch * n * n
    zi_ptr += batch * n * n
    least = EPS * tl.load(norm_ptr + batch)
    at = tl.arange(0, BLOCK)
    last = n - 1  # rows after it are finished
    tries = 0
    while (last > 0) & (steps > 0):
        # The lowest subdiagonal element that is negligible beside its neighbours on the diagonal.
        inside = (at >= 1) & (at <= last)
        size = size_at(h_ptr, hi_ptr, at * n + at, inside) + size_at(h_ptr, hi_ptr, (at - 1) * (n + 1), inside)
        below = size_at(h_ptr, hi_ptr, at * n + at - 1, inside)
        small = inside & (below <= tl.where(size > 0, EPS * size, least))
        start = tl.max(tl.where(small, at, 0), axis=0)
        if start == last:
            last -= 1
            tries = 0
        else:
            steps -= 1
            tries += 1
            # Shift: the eigenvalue of [[a, b], [c, d]] that is nearer to d.
            corner = last * n + last
            a, ai = tl.load(h_ptr + corner - n - 1), tl.load(hi_ptr + corner - n - 1)
            b, bi = tl.load(h_ptr + corner - n), tl.load(hi_ptr + corner - n)
            c, ci = tl.load(h_ptr + corner - 1), tl.load(hi_ptr + corner - 1)
            d, di = tl.load(h_ptr + corner), tl.load(hi_ptr + corner)
            p, pi = 0.5 * (a - d), 0.5 * (ai - di)
            r, ri = root(p * p - pi * pi + b * c - bi * ci, 2.0 * p * pi + b * ci + bi * c)
            nearer = p * r + pi * ri > 0
            p, pi = tl.where(nearer, p - r, p + r), tl.where(nearer, pi - ri, pi + ri)
            shift, shift_i = d + p, di + pi
            if tries % 10 == 0:  # a cycle: another shift leads out of it
                shift += tl.abs(c) + tl.abs(ci)
            # A turn of rows and columns k, k + 1 makes an element below the subdiagonal; further turns push it out.
            for k in range(start, last):
                left = tl.where(k == start, k, k - 1)
                x, xi = tl.load(h_ptr + k * n + left), tl.load(hi_ptr + k * n + left)
                y, yi = tl.load(h_ptr + (k + 1) * n + left), tl.load(hi_ptr + (k + 1) * n + left)
                x, xi = tl.where(k == start, x - shift, x), tl.where(k == start, xi - shift_i, xi)
                length = tl.sqrt(x * x + xi * xi + y * y + yi * yi)
                scale = tl.where(length > 0, 1.0 / tl.where(length > 0, length, 1.0), 0.0)
                x, xi, y, yi = tl.where(length > 0, x * scale, 1.0), xi * scale, y * scale, yi * scale
                turn(h_ptr, hi_ptr, k * n + at, (k + 1) * n + at, (at >= left) & (at < n), x, -xi, y, -yi)
                turn(h_ptr, hi_ptr, at * n + k, at * n + k + 1, at <= tl.minimum(k + 2, last), x, xi, y, yi)
                turn(z_ptr, zi_ptr, k * n + at, (k + 1) * n + at, at < n, x, xi, y, yi)


@triton.jit(do_not_specialize=["n"])
def vectors_kernel(h_ptr, hi_ptr, z_ptr, zi_ptr, norm_ptr, values_ptr, vectors_ptr, n, BLOCK: tl.constexpr):
    """Eigenvalue k and its vector: x with (T - T[k, k]) x = 0, x[k] = 1, times Z, at length 1."""
    batch, k = tl.program_id(0).to(tl.int64), tl.program_id(1)
    h_ptr += batch * n * n
    hi_ptr += batch * n * n
    z_ptr += batch * n * n
    zi_ptr += batch * n * n
    least = tl.maximum(EPS * tl.load(norm_ptr + batch), 1e-140)
    at = tl.arange(0, BLOCK)
    value, value_i = tl.load(h_ptr + k * n + k), tl.load(hi_ptr + k * n + k)
    x = tl.where(at == k, 1.0, 0.0).to(tl.float64)
    xi = tl.zeros((BLOCK,), tl.float64)
    v, vi = tl.load(z_ptr + k * n + at, mask=at < n, other=0.0), tl.load(zi_ptr + k * n + at, mask=at < n, other=0.0)
    for j in range(k):
        i = k - 1 - j
        mask = (at > i) & (at <= k)
        t, ti = tl.load(h_ptr + i * n + at, mask=mask, other=0.0), tl.load(hi_ptr + i * n + at, mask=mask, other=0.0)
        b, bi = tl.sum(t * x - ti * xi, axis=0), tl.sum(t * xi + ti * x, axis=0)
        d, di = value - tl.load(h_ptr + i * n + i), value_i - tl.load(hi_ptr + i * n + i)
        equal = tl.abs(d) + tl.abs(di) < least  # a repeated eigenvalue: told apart by a rounding error
        d, di = tl.where(equal, least, d), tl.where(equal, 0.0, di)
        square = d * d + di * di
        y, yi = (b * d + bi * di) / square, (bi * d - b * di) / square
        x, xi = tl.where(at == i, y, x), tl.where(at == i, yi, xi)
        z = tl.load(z_ptr + i * n + at, mask=at < n, other=0.0)
        zi = tl.load(zi_ptr + i * n + at, mask=at < n, other=0.0)
        v, vi = v + z * y - zi * yi, vi + z * yi + zi * y
        large = tl.abs(y) + tl.abs(yi) > 1e100  # only the direction matters
        scale = tl.where(large, 1e-100, 1.0)
        x, xi, v, vi = x * scale, xi * scale, v * scale, vi * scale
    largest = tl.max(tl.maximum(tl.abs(v), tl.abs(vi)), axis=0)
    v, vi = v / largest, vi / largest
    length = tl.sqrt(tl.sum(v * v + vi * vi, axis=0))
    tl.store(values_ptr + 2 * (batch * n + k), value)
    tl.store(values_ptr + 2 * (batch * n + k) + 1, value_i)
    places = vectors_ptr + 2 * ((batch * n + at) * n + k)
    tl.store(places, v / length, mask=at < n)
    tl.store(places + 1, vi / length, mask=at < n)


def eig(A):
    n = A.shape[-1]
    batch = A.numel() // max(n * n, 1)
    dtype = torch.complex128 if A.dtype == torch.float64 else torch.complex64
    values = torch.empty(A.shape[:-1], dtype=dtype, device=A.device)
    vectors = torch.empty(A.shape, dtype=dtype, device=A.device)
    if A.numel() > 0:
        h, hi, z, zi = (torch.zeros((batch, n, n), dtype=torch.float64, device=A.device) for _ in range(4))
        v = torch.empty((batch, n), dtype=torch.float64, device=A.device)
        norm = torch.empty((batch,), dtype=torch.float64, device=A.device)
        block = max(triton.next_power_of_2(n), 32)
        hessenberg_kernel[(batch,)](
            A.contiguous(), h, z, v, norm, n, ROWS=max(min(TILE // block, block), 1), BLOCK=block, num_warps=4
        )
        warps = max(min(block // 64, 4), 1)
        qr_kernel[(batch,)](h, hi, z, zi, norm, n, STEPS * n, BLOCK=block, num_warps=warps)
        vectors_kernel[(batch, n)](
            h, hi, z, zi, norm, torch.view_as_real(values), torch.view_as_real(vectors), n, BLOCK=block, num_warps=warps
        )
    return values, vectors
