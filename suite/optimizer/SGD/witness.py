"""Witness of sgd_step: one pass over memory; what a step does not need is left out of the kernel."""
import torch
import triton
import triton.language as tl

BLOCK = 1024


@triton.jit
def sgd_kernel(
    param_ptr, grad_ptr, buffer_ptr, numel, lr, momentum, weight_decay, one_minus_dampening,
    MOMENTUM: tl.constexpr, FIRST: tl.constexpr, NESTEROV: tl.constexpr, BLOCK: tl.constexpr,
):
    index = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    valid = index < numel
    param = tl.load(param_ptr + index, mask=valid, other=0.0)
    step = tl.load(grad_ptr + index, mask=valid, other=0.0) + weight_decay * param
    if MOMENTUM:
        if FIRST:
            buffer = step
        else:
            buffer = tl.load(buffer_ptr + index, mask=valid, other=0.0)
            buffer = momentum * buffer + one_minus_dampening * step
        tl.store(buffer_ptr + index, buffer, mask=valid)
        if NESTEROV:
            step = step + momentum * buffer
        else:
            step = buffer
    tl.store(param_ptr + index, param - lr * step, mask=valid)


def sgd_step(
    param, grad, momentum_buffer=None, lr=0.1, momentum=0.9, weight_decay=0.0, dampening=0.0, nesterov=False,
):
    first = momentum_buffer is None
    if first and momentum != 0:
        momentum_buffer = torch.empty_like(param, memory_format=torch.contiguous_format)
    # The tensors themselves in the usual case; a strided one is copied, and copied back at the end.
    dense_param, dense_grad = param.contiguous(), grad.contiguous()
    dense_buffer = momentum_buffer.contiguous() if momentum != 0 else dense_param
    if param.numel() > 0:
        sgd_kernel[(triton.cdiv(param.numel(), BLOCK),)](
            dense_param, dense_grad, dense_buffer, param.numel(),
            float(lr), float(momentum), float(weight_decay), 1.0 - dampening,
            MOMENTUM=momentum != 0, FIRST=first, NESTEROV=nesterov, BLOCK=BLOCK, num_warps=4,
        )
    if dense_param is not param:
        param.copy_(dense_param)
    if momentum != 0 and dense_buffer is not momentum_buffer:
        momentum_buffer.copy_(dense_buffer)
    return param, momentum_buffer
