#include "clock/runner.h"

#include <algorithm>
#include <cstring>

namespace kbx::clock {
namespace {

constexpr uint64_t kProbeCycles = 20000, kLeastFlush = uint64_t(16) << 20;

// uint4 of the device code: 16 bytes.
struct Line {
  uint32_t words[4];
};

}  // namespace

Outcome<std::unique_ptr<Runner>> Runner::make(Card& card, const Kernels& kernels) {
  std::unique_ptr<Runner> out(new Runner);
  out->card_ = &card;
  out->kernels_ = &kernels;
  out->flush_bytes_ = rounded_up(std::max<uint64_t>(kLeastFlush, 2 * uint64_t(card.facts().l2_bytes)), 4096);
  KBX_TRY_ASSIGN(out->flush_, Buffer::make(card, out->flush_bytes_));
  KBX_TRY_ASSIGN(out->sink_, Buffer::make(card, sizeof(uint32_t)));
  KBX_TRY_ASSIGN(out->clock_, Pinned::make(card, 2 * sizeof(uint64_t)));
  std::memset(out->clock_.data(), 0, out->clock_.size());
  for (CUevent* e : {&out->before_, &out->after_}) KBX_TRY(card.check(card.cu.cuEventCreate(e, CU_EVENT_DEFAULT), "cuEventCreate", Fault::Kind::memory));
  KBX_TRY(card.check(card.cu.cuMemsetD32Async(out->flush_.at(), 0, out->flush_bytes_ / 4, card.stream()), "cuMemsetD32Async", Fault::Kind::device));
  if (card.facts().shared_per_block > 0) KBX_TRY(kernels.allow_shared("scrub_shared", card.facts().shared_per_block));
  KBX_TRY(card.wait());
  return out;
}

Runner::~Runner() {
  for (CUevent e : {before_, after_})
    if (e) card_->cu.cuEventDestroy(e);
}

Outcome<void> Runner::enqueue_probe() const {
  return kernels_->launch("probe_clock", Kernels::Grid{1, 1, 1, 0}, kProbeCycles, reinterpret_cast<uint64_t*>(clock_.device_at()));
}
double Runner::probed_mhz() const {
  volatile uint64_t const* clock = reinterpret_cast<const uint64_t*>(clock_.data());
  uint64_t cycles = clock[0], nanoseconds = clock[1];
  return nanoseconds ? 1e3 * double(cycles) / double(nanoseconds) : 0;
}

Outcome<double> Runner::probe() const {
  KBX_TRY(enqueue_probe());
  KBX_TRY(card_->wait());
  return probed_mhz();
}

Outcome<double> Runner::settle_clock() const {
  double most = 0;
  int steady = 0;
  // An idle card raises its clock within some milliseconds; a settled one shows the same thrice.
  for (int k = 0; k < 60 && steady < 4; k++) {
    KBX_TRY(kernels_->launch("read_flush", kernels_->over(flush_bytes_ / sizeof(Line), 512), reinterpret_cast<const Line*>(flush_.at()),
                             flush_bytes_ / sizeof(Line), reinterpret_cast<uint32_t*>(sink_.at())));
    KBX_TRY_ASSIGN(double mhz, probe());
    steady = mhz > most * 1.005 ? 0 : steady + 1;
    most = std::max(most, mhz);
  }
  return most;
}

Outcome<void> Runner::prepare(Side* side, int set, const std::string& steps) const {
  auto wanted = [&](char step) { return steps.find(step) != std::string::npos; };
  if (wanted('C')) KBX_TRY(enqueue_probe());
  // Not every card has persisting lines: then the call fails and there is nothing to give up.
  if (wanted('Z')) (void)card_->cu.cuCtxResetPersistingL2Cache();
  int shared = card_->facts().shared_per_block;
  if (wanted('S') && shared > 0)
    KBX_TRY(kernels_->launch("scrub_shared", Kernels::Grid{unsigned(card_->facts().sms) * 2, 1, 512, unsigned(shared)}, uint32_t(shared / 4)));
  if (side && wanted('I')) KBX_TRY(side->restore(set));
  if (side && wanted('P')) KBX_TRY(side->poison());
  // Last: a fill would leave dirty lines that the timed kernel has to write back.
  if (wanted('R'))
    KBX_TRY(kernels_->launch("read_flush", kernels_->over(flush_bytes_ / sizeof(Line), 512), reinterpret_cast<const Line*>(flush_.at()),
                             flush_bytes_ / sizeof(Line), reinterpret_cast<uint32_t*>(sink_.at())));
  return {};
}

Outcome<double> Runner::time(const std::function<Outcome<void>()>& enqueue, const std::string& steps, double limit_ms) const {
  const cuda::Driver& cu = card_->cu;
  KBX_TRY(prepare(nullptr, 0, steps));
  KBX_TRY(card_->check(cu.cuEventRecord(before_, card_->stream()), "cuEventRecord", Fault::Kind::device));
  KBX_TRY(enqueue());
  KBX_TRY(card_->check(cu.cuEventRecord(after_, card_->stream()), "cuEventRecord", Fault::Kind::device));
  KBX_TRY(card_->wait(after_, limit_ms));
  float ms = 0;
  KBX_TRY(card_->check(cu.cuEventElapsedTime(&ms, before_, after_), "cuEventElapsedTime", Fault::Kind::device));
  return double(ms) * 1e3;
}

Outcome<RunSample> Runner::run(Side& side, int set, const std::string& steps, double limit_ms) const {
  if (side.images().has_globals()) KBX_TRY(side.reload_code(Images::Which::with_globals));
  if (!side.program().has_graph()) KBX_TRY(side.program().capture());  // before the preparation, not behind it
  KBX_TRY(prepare(&side, set, steps));
  KBX_TRY_ASSIGN(double us, time([&] { return side.program().enqueue_graph(); }, "", limit_ms));
  return RunSample{us, steps.find('C') != std::string::npos ? probed_mhz() : 0};
}

Outcome<RunSample> Runner::run_plain(Side& side, int set, const std::string& steps, double limit_ms) const {
  if (side.images().has_globals()) KBX_TRY(side.reload_code(Images::Which::with_globals));
  KBX_TRY(prepare(&side, set, steps));
  KBX_TRY_ASSIGN(double us, time([&] { return side.program().enqueue(); }, "", limit_ms));
  return RunSample{us, steps.find('C') != std::string::npos ? probed_mhz() : 0};
}

}  // namespace kbx::clock
