# task: relu_fp16
# expect: not_judged
# a CUDA graph of its own, which only a card can replay: no verdict without one, and no charge for kernels that did not run
import torch, triton, triton.language as tl
@triton.jit
def k(x_ptr, y_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.where(x <= 0, 0.0, x).to(tl.float16), mask=i < n)
def run(x, y):
    k[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), B=256)
graphs = {}
def relu_fp16(input):
    if input.numel() == 0:
        return torch.empty_like(input)
    key = tuple(input.shape)
    if key not in graphs:
        x = torch.empty(key, dtype=torch.float16, device=input.device); y = torch.empty_like(x)
        run(x, y)
        g = torch.cuda.CUDAGraph()
        with torch.cuda.graph(g):
            run(x, y)
        graphs[key] = g, x, y
    g, x, y = graphs[key]
    x.copy_(input)
    g.replay()
    return y.clone()
