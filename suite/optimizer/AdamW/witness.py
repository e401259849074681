"""Witness of adamw_step: the whole update in one pass over memory."""
import torch  # noqa: F401  (tensors are torch's)
import triton
import triton.language as tl


@triton.jit
def adamw_kernel(
    param_ptr, grad_ptr, exp_avg_ptr, exp_avg_sq_ptr, numel,
    decay, beta1, one_minus_beta1, beta2, one_minus_beta2, step_size, root_correction, eps,
    BLOCK: tl.constexpr,
):
    index = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    valid = index < numel
    param = tl.load(param_ptr + index, mask=valid, other=0.0)
    grad = tl.load(grad_ptr + index, mask=valid, other=0.0)
    exp_avg = tl.load(exp_avg_ptr + index, mask=valid, other=0.0)
    exp_avg_sq = tl.load(exp_avg_sq_ptr + index, mask=valid, other=0.0)

    exp_avg = beta1 * exp_avg + one_minus_beta1 * grad
    exp_avg_sq = beta2 * exp_avg_sq + one_minus_beta2 * grad * grad
    denominator = tl.sqrt(exp_avg_sq) * root_correction + eps
    param = decay * param - step_size * exp_avg / denominator

    tl.store(param_ptr + index, param, mask=valid)
    tl.store(exp_avg_ptr + index, exp_avg, mask=valid)
    tl.store(exp_avg_sq_ptr + index, exp_avg_sq, mask=valid)


def adamw_step(param, grad, exp_avg, exp_avg_sq, step, lr=0.001, beta1=0.9, beta2=0.999, eps=1e-08, weight_decay=0.01):
    tensors = (param, grad, exp_avg, exp_avg_sq)
    dense = [t.contiguous() for t in tensors]  # the tensors themselves in the usual case
    # Scalars are combined here, in double precision: 1 - beta2 would lose digits in float32.
    step_size = lr / (1 - beta1**step)
    root_correction = (1 - beta2**step) ** -0.5
    BLOCK = 1024
    adamw_kernel[(triton.cdiv(param.numel(), BLOCK),)](
        *dense, param.numel(),
        1 - lr * weight_decay, beta1, 1 - beta1, beta2, 1 - beta2, step_size, root_correction, eps, BLOCK=BLOCK,
    )
    for tensor, updated in zip((param, exp_avg, exp_avg_sq), (dense[0], dense[2], dense[3])):
        if updated is not tensor:
            tensor.copy_(updated)
    return param, exp_avg, exp_avg_sq
