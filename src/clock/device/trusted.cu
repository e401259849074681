// The trusted kernels of kbx-clock, compiled at run time by NVRTC for the card at hand.
#include "device_bytes.h"
#include "device_compare.h"
#include "device_matrix.h"

namespace kbx::clock::device {

// ---- inputs
KBX_KERNEL draw_single(DrawSpec s) { draw_all<float>(s); }
KBX_KERNEL draw_double(DrawSpec s) { draw_all<double>(s); }
KBX_KERNEL draw_reflectors(MatrixSpec m) {
  for (uint64_t b = block_index(); b < m.batches; b += block_count()) draw_vectors(m, b);
}
KBX_KERNEL draw_matrices(MatrixSpec m) { fill_matrices(m); }

// ---- bytes; tables have one item for each block of the grid's x
KBX_KERNEL poison_pieces(const Piece* table, uint32_t count) {
  for (uint32_t k = block_index(); k < count; k += block_count()) write_poison(table[k]);
}
KBX_KERNEL move_pieces(const Move* table, uint32_t count) {
  for (uint32_t k = block_index(); k < count; k += block_count()) copy_bytes(table[k]);
}
KBX_KERNEL guard_pieces(const Piece* table, uint32_t count, GuardTotals* out) {
  for (uint32_t k = block_index(); k < count; k += block_count()) count_not_poison(table[k], out);
}
KBX_KERNEL checksum(Piece p, uint64_t key, uint64_t* out) { checksum_all(p, key, out); }
KBX_KERNEL gather(GatherSpec g) { gather_all(g); }

// ---- comparison
KBX_KERNEL compare_first(CompareSpec s, CompareTotals* out) { measure_reference(s, out); }
KBX_KERNEL compare_second(CompareSpec s, CompareTotals* out) { compare_all(s, out); }

// ---- the preparation of a run
KBX_KERNEL nothing() {}

#ifdef __CUDACC_RTC__
// Reads through the L2 alone, so that afterwards it holds clean lines of this buffer and nothing else.
KBX_KERNEL read_flush(const uint4* p, uint64_t count, uint32_t* sink) {
  uint32_t x = 0;
  for (uint64_t k = thread_index(); k < count; k += thread_count()) {
    uint4 v;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p + k));
    x ^= v.x ^ v.y ^ v.z ^ v.w;
  }
  if (x == 0x12345678u) *sink = x;
}
extern __shared__ uint32_t shared_words[];
KBX_KERNEL scrub_shared(uint32_t words) {
  volatile uint32_t* to = shared_words;
  for (uint32_t k = threadIdx.x; k < words; k += blockDim.x) to[k] = kPoisonWord;
}
__device__ __forceinline__ uint64_t nanoseconds() {
  uint64_t t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}
// The next change of the timer: it counts nanoseconds but may step by a microsecond.
__device__ __forceinline__ uint64_t next_tick() {
  uint64_t t = nanoseconds(), u = t;
  while (u == t) u = nanoseconds();
  return u;
}
// out[0] cycles of the SM in out[1] nanoseconds.
KBX_KERNEL probe_clock(uint64_t cycles, uint64_t* out) {
  uint64_t t0 = next_tick();
  long long c0 = clock64(), c1 = c0;
  while (uint64_t(c1 - c0) < cycles) c1 = clock64();
  uint64_t t1 = next_tick();
  c1 = clock64();
  out[0] = uint64_t(c1 - c0);
  out[1] = t1 - t0;
}
#endif

}  // namespace kbx::clock::device
