# task: batch_norm
# style: running statistics updated in place by the kernel, as the task says; the module keeps nothing
import torch
import triton
import triton.language as tl


@triton.jit
def statistics_kernel(x_ptr, rm_ptr, rv_ptr, m_ptr, v_ptr, N, C, L, momentum, HAS_MEAN: tl.constexpr, HAS_VAR: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.float32)
    count = N * L
    first = tl.load(x_ptr + c * L).to(tl.float32)
    for s in range(0, count, BLOCK):
        i = s + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + (i // L * C + c) * L + i % L, mask=i < count, other=0.0).to(tl.float32)
        total += tl.where(i < count, x - first, 0.0)
    mean = first + tl.sum(total, 0) / count
    squares = tl.zeros((BLOCK,), tl.float32)
    for s in range(0, count, BLOCK):
        i = s + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + (i // L * C + c) * L + i % L, mask=i < count, other=0.0).to(tl.float32)
        d = tl.where(i < count, x - mean, 0.0)
        squares += d * d
    m2 = tl.sum(squares, 0)
    tl.store(m_ptr + c, mean)
    tl.store(v_ptr + c, m2 / count)
    if HAS_MEAN:
        tl.store(rm_ptr + c, (1 - momentum) * tl.load(rm_ptr + c) + momentum * mean)
    if HAS_VAR:
        tl.store(rv_ptr + c, (1 - momentum) * tl.load(rv_ptr + c) + momentum * (m2 / (count - 1)))


@triton.jit
def apply_kernel(x_ptr, m_ptr, v_ptr, w_ptr, b_ptr, y_ptr, n, C, L, eps, WEIGHT: tl.constexpr, BIAS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    live = i < n
    c = i // L % C
    x = tl.load(x_ptr + i, mask=live, other=0.0).to(tl.float32)
    y = (x - tl.load(m_ptr + c, mask=live, other=0.0)) / tl.sqrt(tl.load(v_ptr + c, mask=live, other=1.0) + eps)
    if WEIGHT:
        y *= tl.load(w_ptr + c, mask=live, other=1.0)
    if BIAS:
        y += tl.load(b_ptr + c, mask=live, other=0.0)
    tl.store(y_ptr + i, y.to(y_ptr.dtype.element_ty), mask=live)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    x = input.contiguous()
    N, C = x.shape[:2]
    y = torch.empty_like(x)
    if y.numel() == 0:
        return y
    L = x.numel() // (N * C)
    dense = lambda t: x if t is None else t.contiguous()
    mean, var = dense(running_mean), dense(running_var)
    if training:
        rm, rv = mean, var
        mean = torch.empty((C,), dtype=torch.float32, device=x.device)
        var = torch.empty((C,), dtype=torch.float32, device=x.device)
        statistics_kernel[(C,)](x, rm, rv, mean, var, N, C, L, float(momentum), HAS_MEAN=running_mean is not None, HAS_VAR=running_var is not None, BLOCK=256)
        for mine, theirs in ((rm, running_mean), (rv, running_var)):
            if theirs is not None and mine is not theirs:
                theirs.copy_(mine)
    apply_kernel[(triton.cdiv(x.numel(), 512),)](x, mean, var, dense(weight), dense(bias), y, x.numel(), C, L, float(eps),
                                                 WEIGHT=weight is not None, BIAS=bias is not None, BLOCK=512)
    return y
