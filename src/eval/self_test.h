// A/A experiments: kernels of our own held against themselves, and against themselves with more work, each loaded anew
// for every experiment: how often does the clock's interval hold the truth, and how often is a difference seen?
#pragma once
#include "eval/trusted_tapes.h"
#include "model/aa_result.h"

namespace kbx::eval {

struct AaKernel {
  std::string name;
  TrustedCall first, second;   // the same call, unless more_work > 0
  double more_work = 0;        // of the first over the second
};
// Those that are tried: about 4, 5, 14, 30, 250 us and 2 ms on an H200; calls of one entry stand together.
std::vector<AaKernel> aa_kernels();
// How many of `total` experiments each kernel gets; with a known difference half as many as against itself, at least 2.
std::vector<int> experiments_of(const std::vector<AaKernel>& kernels, int total);

// One kernel on tapes that were recorded at two bases. Never fails: what fails is counted.
AaResult run_aa(SteadyClock& clock, const EvalConfig& config, const AaKernel& kernel, const TrustedTape& first, const TrustedTape& second, int experiments);

// All of them on one card, whose lease is held meanwhile.
Result<AaResults> self_test(const MeasuringBench& bench, gpu::Cards::Slot& slot, int experiments);

}  // namespace kbx::eval
