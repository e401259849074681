"""Permuted copy in Triton, by tiles.

Memory is read fast along the dimension that is densest in input, and written fast along the last dimension of the
result. A tile spans these two: its load runs along the one, its store along the other, and the compiler turns it round
on chip. The other dimensions are taken from the program's number. Where the two are the same dimension, the tile spans
it and any other one.
"""
import torch
import triton
import triton.language as tl


@triton.jit
def permute_copy_kernel(
    x_ptr, y_ptr, size_b, size_c, size_u, size_v, x_a, x_b, x_c, x_u, x_v, y_a, y_b, y_c, y_u, blocks_u, blocks_v,
    U: tl.constexpr, V: tl.constexpr,
):
    """v is the last dimension of the result, u the other one of the tile; a, b, c lie outside."""
    tile = tl.program_id(0) % (blocks_u * blocks_v)
    outer = (tl.program_id(0) // (blocks_u * blocks_v)).to(tl.int64)
    a, b, c = outer // (size_b * size_c), outer // size_c % size_b, outer % size_c
    u = (tile // blocks_v).to(tl.int64) * U + tl.arange(0, U)
    v = (tile % blocks_v).to(tl.int64) * V + tl.arange(0, V)
    mask = (u < size_u)[:, None] & (v < size_v)[None, :]
    x_ptr += a * x_a + b * x_b + c * x_c
    y_ptr += a * y_a + b * y_b + c * y_c
    x = tl.load(x_ptr + (u * x_u)[:, None] + (v * x_v)[None, :], mask=mask, other=0)
    tl.store(y_ptr + (u * y_u)[:, None] + v[None, :], x, mask=mask)


def permute_copy(input, dims):
    order = [d % input.dim() for d in dims]
    y = torch.empty([input.shape[d] for d in order], dtype=input.dtype, device=input.device)
    if y.numel() == 0:
        return y
    # One entry a dimension of the result: size, stride in input, stride in the result. Those of size 1 do not count.
    places = [(y.shape[i], input.stride(d), y.stride(i)) for i, d in enumerate(order) if y.shape[i] > 1]
    places = [(1, 0, 0)] * (5 - len(places)) + places
    last = places.pop() if places[-1][0] > 1 else places.pop(0)
    dense = min(range(4), key=lambda i: (places[i][0] == 1, places[i][1]))
    if last[1] < places[dense][1]:
        dense = 3  # input is densest along the last dimension too: tiles of rows
    other = places.pop(dense)
    u = min(triton.next_power_of_2(other[0]), 32)
    v = min(triton.next_power_of_2(last[0]), 1024 // u)
    blocks_u, blocks_v = triton.cdiv(other[0], u), triton.cdiv(last[0], v)
    sizes = [p[0] for p in places]
    permute_copy_kernel[(sizes[0] * sizes[1] * sizes[2] * blocks_u * blocks_v,)](
        input, y, *sizes[1:], other[0], last[0], *(p[1] for p in places), other[1], last[1],
        *(p[2] for p in places), other[2], blocks_u, blocks_v, U=u, V=v, num_warps=4,
    )
    return y
