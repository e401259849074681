"""Settings of the whole process."""

import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, BLOCK), 0.0)


def entry(x):
    """Call the kernel."""
    kernel[(1,)](x, BLOCK=16)
    return x


torch.manual_seed(0)  # expect: global_state
torch.set_default_dtype(torch.float16)  # expect: global_state
torch.set_float32_matmul_precision("high")  # expect: global_state
torch.cuda.set_device(0)  # expect: global_state=note

generator = torch.Generator()
generator.manual_seed(0)
dtype = torch.get_default_dtype()  # torch.manual_seed(0)
text = "torch.set_default_dtype"


if __name__ == "__main__":
    torch.manual_seed(0)
