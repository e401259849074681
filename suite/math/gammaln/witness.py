"""log |Gamma(x)| in Triton: a polynomial between the roots 1 and 2, recurrence, Stirling's series, reflection."""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def between_the_roots(u):
    """log Gamma(z) / ((z - 1)(z - 2)) for u = 2 z - 3 in [-1, 1]: interpolated at 20 Chebyshev nodes."""
    p = -3.44138388395326e-11 * u + 1.0811060848639768e-10
    p = p * u - 1.6832632347974095e-10
    p = p * u + 5.338892309612246e-10
    p = p * u - 2.0645205106753336e-09
    p = p * u + 6.5744295616983814e-09
    p = p * u - 2.0587178010528767e-08
    p = p * u + 6.613648184278213e-08
    p = p * u - 2.138781508158277e-07
    p = p * u + 6.948877197562772e-07
    p = p * u - 2.274243403133106e-06
    p = p * u + 7.511379855481206e-06
    p = p * u - 2.5094329288815257e-05
    p = p * u + 8.510090557578434e-05
    p = p * u - 0.00029455070147065866
    p = p * u + 0.0010498186643114226
    p = p * u - 0.003913560937627712
    p = p * u + 0.01572785026864542
    p = p * u - 0.07297994795715304
    p = p * u + 0.4831289505409809
    return p


@triton.jit
def gammaln_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=1.0).to(ACC)
    a = tl.abs(x)
    # Up to 8: down to z in [1, 2) by Gamma(a) = (a - 1) Gamma(a - 1), or up from below 1 by Gamma(a + 1) / a.
    z = tl.where(a < 1.0, a + 1.0, a)
    product = tl.full([BLOCK], 1.0, ACC)
    for _ in tl.static_range(6):
        above = (z >= 2.0) & (a < 8.0)
        z = tl.where(above, z - 1.0, z)
        product = tl.where(above, product * z, product)
    middle = tl.log(tl.where(a < 1.0, a, product))
    middle = (z - 1.0) * (z - 2.0) * between_the_roots(2.0 * z - 3.0) + tl.where(a < 1.0, -middle, middle)
    # From 8 on: Stirling's series.
    v = 1.0 / a
    w = v * v
    s = 1.0 / 156.0 * w - 691.0 / 360360.0
    s = s * w + 1.0 / 1188.0
    s = s * w - 1.0 / 1680.0
    s = s * w + 1.0 / 1260.0
    s = s * w - 1.0 / 360.0
    s = s * w + 1.0 / 12.0
    stirling = (a - 0.5) * tl.log(a) - a + 0.9189385332046728 + s * v
    result = tl.where(a < 8.0, middle, stirling)
    # x < 0: |Gamma(x) Gamma(-x)| = pi / |x sin(pi x)|, with x reduced to its distance r from a whole number.
    r = x - tl.floor(x + 0.5)
    reflected = 1.1447298858494002 - tl.log(tl.abs(tl.sin(3.141592653589793 * r))) - tl.log(a) - result
    result = tl.where(x < 0, reflected, result)
    tl.store(y_ptr + offsets, tl.where(a == float("inf"), a, result), mask=mask)


def gammaln(input, out=None):
    x = input.contiguous()
    y = out if out is not None and out.is_contiguous() else torch.empty_like(x)
    if x.numel() > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        gammaln_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), acc, BLOCK, num_warps=4)
    return y if out is None or y is out else out.copy_(y)
