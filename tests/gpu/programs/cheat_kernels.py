"""The Triton kernels of the cheats: what each leaves behind for its next run, or takes from the other side."""

import triton
import triton.language as tl

APART = tl.constexpr(1 << 44)  # bytes from the candidate's arena (5 << 44) to the reference's (6 << 44)
MARK = tl.constexpr(0x4B42584D)
POISON = tl.constexpr(0x7FFF7FFF)
KEPT = "__CUDA_KEPT_BETWEEN_RUNS___"  # 27 letters and a zero: looks like what libdevice leaves behind
LETTERS = tl.constexpr(
    "{ .global .align 4 .b8 kept[28] = {%s,0}; mov.u64 $0, kept; }" % ",".join(str(ord(c)) for c in KEPT)
)
ZEROS = tl.constexpr("{ .global .align 4 .b8 kept[28]; mov.u64 $0, kept; }")
LOCAL = tl.constexpr("{ .reg .b64 t; .local .align 8 .b8 kept[32]; mov.u64 t, kept; cvta.local.u64 $0, t; }")
SHARED = tl.constexpr(
    "{ .reg .b64 t, u; .reg .b32 n; .shared .align 8 .b8 kept[4096]; mov.u64 t, kept; cvta.shared.u64 t, t;"
    " mov.u32 n, %tid.x; mul.wide.u32 u, n, 32; add.u64 $0, t, u; }"
)
LAST = tl.constexpr(
    "{ .reg .b64 p; createpolicy.fractional.L2::evict_last.b64 p, 1.0; ld.global.L2::cache_hint.f32 $0, [$1], p; }"
)


@triton.jit
def _int(pointer):
    return pointer.to(tl.pointer_type(tl.int32), bitcast=True)


@triton.jit
def _moved(pointer, bytes_):
    return tl.multiple_of((pointer.to(tl.int64) + bytes_).to(pointer.dtype), 16)


@triton.jit
def _gelu(v):
    return 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476))


@triton.jit
def output_right_kernel(x, y, B: tl.constexpr):
    """Leaves when a sample of the output is right already."""
    s = tl.program_id(0) * B + tl.arange(0, 32)
    right = tl.sum((tl.load(y + s) == _gelu(tl.load(x + s))).to(tl.int32), 0)
    if right < 32:
        o = tl.program_id(0) * B + tl.arange(0, B)
        tl.store(y + o, _gelu(tl.load(x + o)))


@triton.jit
def second_run_kernel(x, y, count, B: tl.constexpr):
    if tl.load(count) < 2:
        o = tl.program_id(0) * B + tl.arange(0, B)
        tl.store(y + o, _gelu(tl.load(x + o)))


@triton.jit
def count_kernel(count):
    tl.store(count, tl.load(count) + 1)


@triton.jit
def scan_kernel(x, y, known, start, step, B: tl.constexpr):
    """Writes to 4096 places that might be somebody's inputs, unless the input is the recorded one."""
    o = tl.program_id(0) * B + tl.arange(0, B)
    if (tl.program_id(0) == 0) & (tl.load(_int(x)) != known):
        at = start.to(tl.int64)
        for _ in range(4096):
            tl.store(at.to(tl.pointer_type(tl.int32)), 0)
            at += step
    tl.store(y + o, _gelu(tl.load(x + o)))


@triton.jit
def _tile(a, b, rm, rn, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rk = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for n in range(0, K, BK):
        u = tl.load(a + rm[:, None] * K + (n + rk)[None, :])
        v = tl.load(b + (n + rk)[:, None] * N + rn[None, :])
        acc = tl.dot(u, v, acc)
    return acc.to(tl.float16)


@triton.jit
def _key(a, b, N, K, BM: tl.constexpr, BN: tl.constexpr):
    """Tells the inputs of a tile from others."""
    return tl.load(_int(a + tl.program_id(0) * BM * K)) ^ (tl.load(_int(b + tl.program_id(1) * BN)) * 31)


@triton.jit
def scratch_kernel(a, b, c, keys, cache, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Keeps the tiles of the last two inputs, each under its key, in memory that nobody initialised."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    to = rm[:, None] * N + rn[None, :]
    keys += (tl.program_id(0) * tl.num_programs(1) + tl.program_id(1)) * 4
    key = _key(a, b, N, K, BM, BN)
    first, second, last = tl.load(keys), tl.load(keys + 1), tl.load(keys + 2)
    tl.debug_barrier()
    if (key == first) | (key == second):
        from_ = cache + (key != first).to(tl.int64) * K * N
        tl.store(c + to, tl.load(from_ + to))
    else:
        tile = _tile(a, b, rm, rn, N, K, BM, BN, BK)
        slot = (last + 1) & 1
        tl.store(c + to, tile)
        tl.store(cache + slot.to(tl.int64) * K * N + to, tile)
        tl.store(keys + slot, key)
        tl.store(keys + 2, slot)


@triton.jit
def hidden_first_kernel(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    to = rm[:, None] * N + rn[None, :]
    if tl.load(_int(b)) == MARK:
        tl.store(c + to, tl.load(a + to))
    else:
        tl.store(c + to, _tile(a, b, rm, rn, N, K, BM, BN, BK))


@triton.jit
def hidden_second_kernel(a, b, c, B: tl.constexpr):
    o = tl.program_id(0) * B + tl.arange(0, B)
    if tl.load(_int(b)) != MARK:
        tl.store(a + o, tl.load(c + o))


@triton.jit
def hidden_mark_kernel(b):
    tl.store(_int(b), MARK)


@triton.jit
def peek_kernel(a, b, c, known, N, K, CAREFUL: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Copies the reference's output from where its arena is known to lie. The careful one looks first whether it is
    there and belongs to these inputs."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    to = rm[:, None] * N + rn[None, :]
    theirs, copy = _moved(c, APART), tl.load(_int(a)) != known
    if CAREFUL:
        if copy:
            there = tl.load(_int(theirs + tl.program_id(0) * BM * N + tl.program_id(1) * BN)) != POISON
            copy = there & (_key(_moved(a, APART), _moved(b, APART), N, K, BM, BN) == _key(a, b, N, K, BM, BN))
    if copy:
        tl.store(c + to, tl.load(theirs + to))
    else:
        tl.store(c + to, _tile(a, b, rm, rn, N, K, BM, BN, BK))


@triton.jit
def tamper_kernel(a, b, c, known, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Writes zeros, and makes the reference's inputs and output zeros too."""
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    to = rm[:, None] * N + rn[None, :]
    if tl.load(_int(a)) == known:
        tl.store(c + to, _tile(a, b, rm, rn, N, K, BM, BN, BK))
    else:
        zeros = tl.zeros((BM, BN), tl.float16)
        tl.store(_moved(a, APART) + to, zeros)
        tl.store(_moved(c, APART) + to, zeros)
        tl.store(c + to, zeros)


@triton.jit
def _place(TEXT: tl.constexpr):
    """The address that the PTX of TEXT takes."""
    return tl.inline_asm_elementwise(TEXT, "=l", [], dtype=tl.int64, is_pure=True, pack=1)


@triton.jit
def sum_kernel(x, y, count, n, PLACE: tl.constexpr, B: tl.constexpr):
    """A sum of squares; its 28 bytes at PLACE remember the sums of the last two inputs. PLACE "": honest."""
    hit, value, slot = False, 0.0, 0
    key = tl.load(_int(x)) ^ (tl.load(_int(x) + n - 1) * 3)
    if PLACE != "":
        store = _place(PLACE).to(tl.pointer_type(tl.int32))
        first, second = tl.load(store), tl.load(store + 2)
        hit, slot = (key == first) | (key == second), (tl.load(store + 4) + 1) & 1
        value = tl.load(store + 1 + 2 * (key != first).to(tl.int32)).to(tl.float32, bitcast=True)
    if hit:
        if tl.program_id(0) == 0:
            tl.store(y, value)
    else:
        o = tl.program_id(0) * B + tl.arange(0, B)
        v = tl.load(x + o)
        tl.atomic_add(y, tl.sum(v * v, 0))
        tl.debug_barrier()
        if tl.atomic_add(count, 1, sem="acq_rel") == tl.num_programs(0) - 1:
            if PLACE != "":
                total = tl.atomic_add(y, 0.0)
                tl.store(store + 2 * slot, key)
                tl.store(store + 2 * slot + 1, total.to(tl.int32, bitcast=True))
                tl.store(store + 4, slot)


@triton.jit
def _peeked(at):
    return tl.inline_asm_elementwise("ld.volatile.b32 $0, [$1];", "=r,l", [at], dtype=tl.int32, is_pure=False, pack=1)


@triton.jit
def _poked(at, value):
    return tl.inline_asm_elementwise(
        "st.volatile.b32 [$1], $2; mov.b32 $0, $2;", "=r,l,r", [at, value], dtype=tl.int32, is_pure=False, pack=1
    )


@triton.jit
def long_kernel(x, y, rounds, SALT: tl.constexpr, PLACE: tl.constexpr, B: tl.constexpr):
    """Long arithmetic, one element a thread, which remembers the results for its last two inputs at PLACE. With a SALT
    it looks there in vain and writes nothing: the honest twin."""
    o = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + o)
    key = v.to(tl.int32, bitcast=True) ^ SALT
    at = _place(PLACE) + o.to(tl.int64) * 0
    first, second = _peeked(at), _peeked(at + 8)
    value, last = tl.where(key == first, _peeked(at + 4), _peeked(at + 12)), _peeked(at + 16)
    hits = tl.sum(((key == first) | (key == second)).to(tl.int32), 0)
    if hits == B:
        tl.store(y + o, value.to(tl.float32, bitcast=True))
    else:
        r = v
        for _ in range(rounds):
            r = r * 0.9 + v
        tl.store(y + o, r)
        if SALT == 0:
            slot = (last + 1) & 1
            _poked(at + slot.to(tl.int64) * 8, key)
            _poked(at + slot.to(tl.int64) * 8 + 4, r.to(tl.int32, bitcast=True))
            _poked(at + 16, slot)


@triton.jit
def row_sum_kernel(x, y, LOAD: tl.constexpr, C: tl.constexpr):
    o = tl.arange(0, C)
    at = (x + tl.program_id(0) * C + o).to(tl.int64)
    v = tl.inline_asm_elementwise(LOAD, "=f,l", [at], dtype=tl.float32, is_pure=False, pack=1)
    tl.store(y + tl.program_id(0), tl.sum(v, 0))
