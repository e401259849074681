// The pass: fixed chunks, spread over threads, joined in order.
#include "judge/compare.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "base/check.h"
#include "judge/block.h"

namespace kbx::judge {
namespace {

constexpr int64_t kChunk = 128 * kBlock;

void add_range(const Pair& pair, int64_t from, int64_t to, Partial& into, uint8_t* mask) {
  bool complex = is_complex(pair.got.dtype()) || is_complex(pair.want.dtype());
  auto add = complex ? add_complex_block : add_real_block;
  for (int64_t at = from; at < to; at += kBlock)
    add(pair, at, std::min(kBlock, to - at), into, mask ? mask + at : nullptr);
}

void check_counts(const Pair& pair) {
  int64_t n = pair.got.count();
  KBX_CHECK(pair.want.count() == n);
  KBX_CHECK(!pair.overflow || pair.overflow->count() == n);
  KBX_CHECK(!pair.domain || pair.domain->count() == n);
  KBX_CHECK(!pair.tolerance.magnitude || pair.tolerance.magnitude->count() == n);
}

Partial run(const Pair& pair, uint8_t* mask) {
  check_counts(pair);
  int64_t n = pair.got.count();
  size_t chunks = size_t((n + kChunk - 1) / kChunk);
  std::vector<Partial> partial(chunks);
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t c = next++; c < chunks; c = next++) {
      Partial mine;  // on this thread's stack: neighbours in the vector share cache lines
      add_range(pair, int64_t(c) * kChunk, std::min(n, int64_t(c + 1) * kChunk), mine, mask);
      partial[c] = mine;
    }
  };
  {
    size_t threads = std::min<size_t>(chunks / 2, std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::jthread> pool;
    for (size_t k = 1; k < threads; k++) pool.emplace_back(work);
    work();
  }
  Partial total;
  for (const Partial& p : partial) total.join(p);
  return total;
}

}  // namespace

Metrics compare(const Pair& pair) { return run(pair, nullptr).metrics(); }

std::vector<uint8_t> mismatch_mask(const Pair& pair) {
  std::vector<uint8_t> mask(size_t(pair.got.count()), 0);
  run(pair, mask.data());
  return mask;
}

Tolerance::Element tolerance_element(const Pair& pair, int64_t flat) {
  const Tolerance& t = pair.tolerance;
  std::complex<double> want = pair.want.complex_at(flat);
  double own = 0;
  auto raise = [&](const View* reference, double weight) {
    double error = reference ? weight * std::abs(reference->complex_at(flat) - want) : 0;
    if (std::isfinite(error) && error > own) own = error;
  };
  raise(t.eager, 1);
  raise(t.permuted, 1);
  raise(t.narrow, kNarrowError);
  return {std::abs(want), t.magnitude ? std::abs(t.magnitude->at(flat)) : 0, own};
}

}  // namespace kbx::judge
