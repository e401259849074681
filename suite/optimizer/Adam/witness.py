"""Adam in Triton: one launch a parameter and step.

The first step does not read the moments, which are zero, so they need no memory that was cleared.
"""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def adam_kernel(
    param_ptr, grad_ptr, exp_avg_ptr, exp_avg_sq_ptr, numel, step_size, root_correction,
    beta1, one_minus_beta1, beta2, one_minus_beta2, eps, weight_decay, FIRST: tl.constexpr, BLOCK: tl.constexpr,
):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    valid = at < numel
    param = tl.load(param_ptr + at, mask=valid, other=0.0)
    grad = tl.load(grad_ptr + at, mask=valid, other=0.0) + weight_decay * param
    exp_avg, exp_avg_sq = one_minus_beta1 * grad, one_minus_beta2 * grad * grad
    if not FIRST:
        exp_avg += beta1 * tl.load(exp_avg_ptr + at, mask=valid, other=0.0)
        exp_avg_sq += beta2 * tl.load(exp_avg_sq_ptr + at, mask=valid, other=0.0)
    param -= step_size * exp_avg / (tl.sqrt(exp_avg_sq) * root_correction + eps)
    tl.store(param_ptr + at, param, mask=valid)
    tl.store(exp_avg_ptr + at, exp_avg, mask=valid)
    tl.store(exp_avg_sq_ptr + at, exp_avg_sq, mask=valid)


class Adam:
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
        self.params = list(params)
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.steps = 0
        self.moments = [[torch.empty(p.shape, dtype=p.dtype, device=p.device) for _ in range(2)] for p in self.params]

    def step(self):
        self.steps += 1
        beta1, beta2 = self.betas
        # Scalars are combined here, in double precision: 1 - beta2 would lose digits in float32.
        scalars = (
            self.lr / (1 - beta1**self.steps), (1 - beta2**self.steps) ** -0.5,
            float(beta1), 1.0 - beta1, float(beta2), 1.0 - beta2, float(self.eps), float(self.weight_decay),
        )
        for param, moments in zip(self.params, self.moments):
            if param.numel() == 0:
                continue
            dense = param.contiguous()  # the parameter itself in the usual case
            adam_kernel[(triton.cdiv(param.numel(), BLOCK),)](
                dense, param.grad.contiguous(), *moments, param.numel(), *scalars,
                FIRST=self.steps == 1, BLOCK=BLOCK, num_warps=4,
            )
            if dense is not param:
                param.copy_(dense)
