# task: sigmoid_fp16
# kernels: fla/modules/activations/ops.py: sigmoid_fwd_kernel
# constants: _activation_autotune_configs = lambda: [triton.Config({"B": 1024}, num_warps=w) for w in (4, 8)]; autotune_cache_kwargs = {}


def sigmoid_fp16(input):
    x = input.contiguous()
    y = torch.empty_like(x)
    T = x.numel()
    if T > 0:
        D = x.shape[-1] if x.dim() else 1
        sigmoid_fwd_kernel[lambda meta: (triton.cdiv(T, meta["B"]),)](x=x, y=y, stride_x_row=D, stride_y_row=D, T=T, D=D)
    return y
