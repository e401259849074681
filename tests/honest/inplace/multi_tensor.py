# task: Adam
# style: a class for an entry; state in a dictionary keyed by id(parameter), which lives as long as its object
import torch
import triton
import triton.language as tl


@triton.jit
def adam_kernel(p_ptr, g_ptr, m_ptr, v_ptr, s_ptr, n, B1: tl.constexpr, B2: tl.constexpr, EPS: tl.constexpr, DECAY: tl.constexpr, BLOCK: tl.constexpr):
    ty: tl.constexpr = p_ptr.dtype.element_ty
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    step = tl.load(s_ptr)
    root = tl.load(s_ptr + 1)
    p = tl.load(p_ptr + i, mask=i < n, other=0.0)
    g = tl.load(g_ptr + i, mask=i < n, other=0.0) + tl.full((BLOCK,), DECAY, ty) * p
    m = tl.full((BLOCK,), B1, ty) * tl.load(m_ptr + i, mask=i < n, other=0.0) + tl.full((BLOCK,), 1 - B1, ty) * g
    v = tl.full((BLOCK,), B2, ty) * tl.load(v_ptr + i, mask=i < n, other=0.0) + tl.full((BLOCK,), 1 - B2, ty) * g * g
    tl.store(m_ptr + i, m, mask=i < n)
    tl.store(v_ptr + i, v, mask=i < n)
    tl.store(p_ptr + i, p - step * m / (tl.sqrt(v) / root + tl.full((BLOCK,), EPS, ty)), mask=i < n)


@triton.jit
def scalars_kernel(s_ptr, LR: tl.constexpr, B1: tl.constexpr, B2: tl.constexpr, T: tl.constexpr):
    ty: tl.constexpr = s_ptr.dtype.element_ty
    tl.store(s_ptr, tl.full((), LR / (1 - B1**T), tl.float64).to(ty))
    tl.store(s_ptr + 1, tl.sqrt(tl.full((), 1 - B2**T, tl.float64)).to(ty))


class Adam:
    """Looks like torch.optim.Adam, and keeps its state in a dictionary keyed by id(parameter), as many optimizers do."""

    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0):
        self.params = list(params)
        self.hyper = dict(B1=float(betas[0]), B2=float(betas[1]), EPS=float(eps), DECAY=float(weight_decay))
        self.lr = float(lr)
        self.state = {id(p): {"step": 0, "m": self.zeros(p), "v": self.zeros(p)} for p in self.params}

    @staticmethod
    def zeros(p):
        return torch.zeros(p.shape, dtype=p.dtype, device=p.device)

    @torch.no_grad()
    def step(self):
        for p in self.params:
            state, n = self.state[id(p)], p.numel()
            state["step"] += 1
            if n == 0 or p.grad is None:
                continue
            work = p.contiguous()
            s = torch.empty(2, dtype=p.dtype, device=p.device)
            scalars_kernel[(1,)](s, LR=self.lr, B1=self.hyper["B1"], B2=self.hyper["B2"], T=state["step"])
            adam_kernel[(triton.cdiv(n, 512),)](work, p.grad.contiguous(), state["m"], state["v"], s, n, **self.hyper, BLOCK=512)
            if work is not p:
                p.copy_(work)
