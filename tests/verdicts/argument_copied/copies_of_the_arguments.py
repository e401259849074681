# task: Lion
# expect: contract_violation
# Updates in place, but hands back copies: the caller's next step would work on the wrong tensors if it kept them.
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def lion_kernel(
    param_ptr, grad_ptr, exp_avg_ptr, numel, decay, lr, beta1, one_minus_beta1, beta2, one_minus_beta2,
    BLOCK: tl.constexpr,
):
    index = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    valid = index < numel
    param = tl.load(param_ptr + index, mask=valid, other=0.0)
    grad = tl.load(grad_ptr + index, mask=valid, other=0.0)
    exp_avg = tl.load(exp_avg_ptr + index, mask=valid, other=0.0)
    update = beta1 * exp_avg + one_minus_beta1 * grad
    step = tl.where(update > 0, lr, tl.where(update < 0, -lr, 0.0))  # lr * sign(update)
    tl.store(param_ptr + index, decay * param - step, mask=valid)
    tl.store(exp_avg_ptr + index, beta2 * exp_avg + one_minus_beta2 * grad, mask=valid)


def lion_step(param, grad, exp_avg, lr=0.0001, beta1=0.9, beta2=0.99, weight_decay=0.0):
    # The tensors themselves in the usual case; a strided one is copied, and copied back at the end.
    dense_param, dense_grad, dense_avg = param.contiguous(), grad.contiguous(), exp_avg.contiguous()
    if param.numel() > 0:
        # Scalars are combined here, in double precision: 1 - beta2 would lose digits in float32.
        lion_kernel[(triton.cdiv(param.numel(), BLOCK),)](
            dense_param, dense_grad, dense_avg, param.numel(),
            1.0 - lr * weight_decay, float(lr), float(beta1), 1.0 - beta1, float(beta2), 1.0 - beta2,
            BLOCK=BLOCK, num_warps=4,
        )
    for tensor, updated in ((param, dense_param), (exp_avg, dense_avg)):
        if updated is not tensor:
            tensor.copy_(updated)
    return param.clone(), exp_avg.clone()
