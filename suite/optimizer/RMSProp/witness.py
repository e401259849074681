"""Witness of rmsprop_step: the whole update in one pass over memory."""
import torch  # noqa: F401  (tensors are torch's)
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def rmsprop_kernel(
    param_ptr, grad_ptr, square_avg_ptr, numel, lr, alpha, one_minus_alpha, eps, weight_decay, BLOCK: tl.constexpr
):
    index = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    valid = index < numel
    param = tl.load(param_ptr + index, mask=valid, other=0.0)
    grad = tl.load(grad_ptr + index, mask=valid, other=0.0) + weight_decay * param
    square_avg = tl.load(square_avg_ptr + index, mask=valid, other=1.0)
    square_avg = alpha * square_avg + one_minus_alpha * grad * grad
    tl.store(square_avg_ptr + index, square_avg, mask=valid)
    tl.store(param_ptr + index, param - lr * grad / (tl.sqrt(square_avg) + eps), mask=valid)


def rmsprop_step(param, grad, square_avg, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0):
    # The tensors themselves in the usual case; a strided one is copied, and copied back at the end.
    dense_param, dense_grad, dense_avg = param.contiguous(), grad.contiguous(), square_avg.contiguous()
    if param.numel() > 0:
        # 1 - alpha is taken here, in double precision: it would lose digits in float32.
        rmsprop_kernel[(triton.cdiv(param.numel(), BLOCK),)](
            dense_param, dense_grad, dense_avg, param.numel(),
            float(lr), float(alpha), 1.0 - alpha, float(eps), float(weight_decay), BLOCK=BLOCK, num_warps=4,
        )
    for tensor, updated in ((param, dense_param), (square_avg, dense_avg)):
        if updated is not tensor:
            tensor.copy_(updated)
    return param, square_avg
