# task: exp_sqrt
# style: tensor descriptors made on the device, the tail by masked loads
import torch
import triton
import triton.language as tl


@triton.jit
def descriptor_kernel(x_ptr, y_ptr, M, N, ACC: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    src = tl.make_tensor_descriptor(x_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    dst = tl.make_tensor_descriptor(y_ptr, shape=[M, N], strides=[N, 1], block_shape=[BM, BN])
    row, col = tl.program_id(0) * BM, tl.program_id(1) * BN
    dst.store([row, col], tl.exp(src.load([row, col]).to(ACC) * 0.5).to(y_ptr.dtype.element_ty))


@triton.jit
def flat_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.exp(tl.load(x_ptr + offsets, mask=mask).to(ACC) * 0.5), mask=mask)


def allocate(size, alignment, stream):
    return torch.empty(size, device="cuda", dtype=torch.int8)


triton.set_allocator(allocate)


def exp_sqrt(input, out=None):
    x = input.contiguous()
    y = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        acc = tl.float64 if x.dtype == torch.float64 else tl.float32
        cols = x.shape[-1] if x.dim() else 1
        if cols * x.element_size() % 16 == 0 and x.data_ptr() % 16 == 0:
            descriptor_kernel[(triton.cdiv(n // cols, 8), triton.cdiv(cols, 32))](x, y, n // cols, cols, acc, BM=8, BN=32)
        else:
            flat_kernel[(triton.cdiv(n, 512),)](x, y, n, acc, BLOCK=512)
    if out is not None:
        out.copy_(y)
        return out
    return y
