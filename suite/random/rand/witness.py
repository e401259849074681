"""Witness of rand: Philox counters in the kernel, keyed by one integer that is drawn from torch's generator."""
import torch
import triton
import triton.language as tl


@triton.jit
def rand_kernel(seed_ptr, out_ptr, numel, BLOCK: tl.constexpr, DOUBLE: tl.constexpr):
    """One Philox call gives four 32-bit words: four float32 numbers of 24 bits, or two float64 numbers of 53."""
    seed = tl.load(seed_ptr)
    counter = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a, b, c, d = tl.randint4x(seed, counter)
    # Four contiguous stretches of the program's part of the output, so that every store is coalesced.
    if DOUBLE:
        first = tl.program_id(0).to(tl.int64) * (2 * BLOCK) + tl.arange(0, BLOCK)
        tl.store(out_ptr + first, to_double(a, b), mask=first < numel)
        tl.store(out_ptr + first + BLOCK, to_double(c, d), mask=first + BLOCK < numel)
    else:
        first = tl.program_id(0).to(tl.int64) * (4 * BLOCK) + tl.arange(0, BLOCK)
        tl.store(out_ptr + first, to_float(a), mask=first < numel)
        tl.store(out_ptr + first + BLOCK, to_float(b), mask=first + BLOCK < numel)
        tl.store(out_ptr + first + 2 * BLOCK, to_float(c), mask=first + 2 * BLOCK < numel)
        tl.store(out_ptr + first + 3 * BLOCK, to_float(d), mask=first + 3 * BLOCK < numel)


@triton.jit
def to_float(word):
    """The upper 24 bits as a fraction: exact in float32, never 1."""
    return (word.to(tl.uint32) >> 8).to(tl.int32).to(tl.float32) * (1.0 / 16777216)


@triton.jit
def to_double(high, low):
    """27 bits of one word and 26 of the other: exact in float64, never 1."""
    upper = (high.to(tl.uint32) >> 5).to(tl.int64) * 67108864
    return (upper + (low.to(tl.uint32) >> 6).to(tl.int64)).to(tl.float64) * (1.0 / 9007199254740992)


def rand(*size, generator=None, out=None, dtype=None, device=None, requires_grad=False):
    if len(size) == 1 and isinstance(size[0], (list, tuple)):
        size = tuple(size[0])
    if out is not None:
        device, dtype = out.device, out.dtype
    device = device if device is not None else "cuda"
    dtype = dtype if dtype is not None else torch.get_default_dtype()
    # The generator's state moves on with every call; the value stays on the device.
    seed = torch.empty((1,), dtype=torch.int64, device=device).random_(generator=generator)
    direct = out is not None and out.is_contiguous()
    result = out if direct else torch.empty(size, dtype=dtype, device=device)
    if result.numel() > 0:
        BLOCK = 512
        per_program = BLOCK * (2 if dtype == torch.float64 else 4)
        rand_kernel[(triton.cdiv(result.numel(), per_program),)](
            seed, result, result.numel(), BLOCK=BLOCK, DOUBLE=dtype == torch.float64,
        )
    if out is not None and not direct:
        out.copy_(result)
        result = out
    return result.requires_grad_() if requires_grad else result
