# task: erf
# style: threading.Lock around a cache, collections.Counter, weakref and copy: bookkeeping on the host
import collections
import copy
import threading
import weakref

import torch
import triton
import triton.language as tl

_lock = threading.Lock()
_plans = {}
_seen = collections.Counter()
_owners = weakref.WeakValueDictionary()


class Plan:
    def __init__(self, block, warps):
        self.block, self.warps = block, warps


@triton.jit
def erf_kernel(x_ptr, y_ptr, n, ACC: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(ACC)
    tl.store(y_ptr + i, tl.erf(x).to(y_ptr.dtype.element_ty), mask=i < n)


def plan_for(dtype):
    with _lock:
        _seen[dtype] += 1
        if dtype not in _plans:
            base = Plan(512, 4)
            mine = copy.deepcopy(base)
            if dtype == torch.float64:
                mine.block //= 2
            _plans[dtype] = _owners[str(dtype)] = mine
        return _plans[dtype]


def erf(input_tensor):
    x = input_tensor.contiguous()
    y = torch.empty_like(x)
    if x.numel() > 0:
        plan = plan_for(x.dtype)
        erf_kernel[(triton.cdiv(x.numel(), plan.block),)](
            x, y, x.numel(), ACC=tl.float64 if x.dtype == torch.float64 else tl.float32, BLOCK=plan.block, num_warps=plan.warps)
    return y
