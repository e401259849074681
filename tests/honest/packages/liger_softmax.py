# task: softmax
# kernels: liger_kernel/ops/softmax.py: _softmax_single_block_forward_kernel


def softmax(input, dim, dtype=None):
    dtype = dtype or input.dtype
    dim %= input.dim()
    last = input.transpose(dim, -1)
    wide = torch.float64 if torch.float64 in (input.dtype, dtype) else torch.float32
    x = last.to(wide).contiguous()
    y = torch.empty_like(x)
    n = x.shape[-1]
    if x.numel() > 0:
        rows = x.numel() // n
        block = triton.next_power_of_2(n)
        warps = 4 if block <= 4096 else 16  # the package's way: 65536 numbers in four warps would lie in local memory
        _softmax_single_block_forward_kernel[(rows,)](y, n, x, n, n, BLOCK_SIZE=block, num_warps=warps)
    return y.to(dtype).transpose(dim, -1).contiguous()
