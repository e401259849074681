# task: sigmoid_bf16
# kernels: fla/modules/activations/ops.py: sigmoid_fwd_kernel
# constants: _activation_autotune_configs = lambda: [triton.Config({"B": b}) for b in (512, 2048)]; autotune_cache_kwargs = {}


def sigmoid_bf16(input):
    x = input.contiguous()
    y = torch.empty_like(x)
    T = x.numel()
    if T > 0:
        D = x.shape[-1] if x.dim() else 1
        sigmoid_fwd_kernel[lambda meta: (triton.cdiv(T, meta["B"]),)](x=x, y=y, stride_x_row=D, stride_y_row=D, T=T, D=D)
    return y
