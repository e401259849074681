# task: relu_fp16
# style: an own CUDA graph for each shape, with static buffers: inputs are copied in before every replay
import torch
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.where(x <= 0, 0.0, x).to(tl.float16), mask=i < n)


def launch(x, y):
    relu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)


class Replayed:
    """One captured launch and the buffers that it works on."""

    def __init__(self, shape, device):
        self.x = torch.empty(shape, dtype=torch.float16, device=device)
        self.y = torch.empty(shape, dtype=torch.float16, device=device)
        launch(self.x, self.y)  # compiles outside of the capture
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            launch(self.x, self.y)

    def __call__(self, x):
        self.x.copy_(x)
        self.graph.replay()
        return self.y.clone()


_graphs = {}


def relu_fp16(input):
    if input.numel() == 0:
        return torch.empty_like(input)
    # A graph is worth its capture on a card only, where the same shape comes again and again.
    if torch.cuda.is_available() and torch.version.cuda and input.is_cuda and _seen_often(tuple(input.shape)):
        key = (tuple(input.shape), input.device)
        if key not in _graphs:
            _graphs[key] = Replayed(input.shape, input.device)
        return _graphs[key](input)
    x = input.contiguous()
    y = torch.empty_like(x)
    launch(x, y)
    return y


_calls = {}


def _seen_often(shape):
    _calls[shape] = _calls.get(shape, 0) + 1
    return _calls[shape] > 1000
