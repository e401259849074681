// pass@k: the chance that at least one of k samples drawn from n is correct, unbiased (Chen et al., "Evaluating Large
// Language Models Trained on Code", arXiv 2107.03374, section 2.1): 1 - C(n - c, k) / C(n, k).
#pragma once
#include <cstdint>
#include <optional>

namespace kbx::stats {

// n samples, c of them correct. Nothing when k is 0 or larger than n: too few samples say nothing about k.
std::optional<double> pass_at_k(int64_t n, int64_t c, int64_t k);

}  // namespace kbx::stats
