// Trusted tapes: programs of our own (measured_programs.py), recorded by the same recorder as a candidate's call, and the
// clock that plays them. For measuring a card and the clock itself; nothing here judges.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "eval/config.h"
#include "gpu/cards.h"
#include "sandbox/fork_server.h"
#include "suite/drawn.h"

namespace kbx::eval {

inline constexpr uint64_t kFirstBase = 0x500000000000, kSecondBase = 0x600000000000;  // of recordings' arenas

// One call of a program: tensors, then whole numbers.
struct TrustedCall {
  std::string entry;
  std::vector<suite::Drawn> tensors;
  std::vector<int64_t> numbers;
};
// A tensor argument drawn as `dist` says; all of its values are valid.
suite::Drawn drawn_tensor(std::string name, std::vector<int64_t> shape, Dtype dtype, std::string dist = "normal", std::map<std::string, double> params = {});
// The list for the command `inputs`; other values for every set.
Json inputs_of(const TrustedCall& call, int set);

struct TrustedTape {
  Bytes bytes;          // empty: why_not
  std::string why_not;
};

// What measuring needs. `say` gets a line of progress.
struct MeasuringBench {
  gpu::Cards& cards;
  sandbox::ForkServer& server;
  const EvalConfig& config;     // with its card completed
  std::string programs;         // the source
  std::function<void(const std::string&)> say;
};

// Calls of one entry, in one child. A tape for each call; whatever went wrong is its why_not.
std::vector<TrustedTape> record_trusted(const MeasuringBench& bench, int card, uint64_t base, const std::vector<TrustedCall>& calls);

// The clock of a leased slot, for many commands: started anew when it has died.
class SteadyClock {
 public:
  explicit SteadyClock(gpu::Cards::Slot& slot) : slot_(slot) {}
  // A fault that the clock reports is an Error too, its words kept.
  Result<gpu::ClockProcess::Answer> ask(const Json& command, const Bytes& blob = {});
  // Both sides gone; a clock that is dead has none.
  void unload();

 private:
  gpu::Cards::Slot& slot_;
  std::unique_ptr<gpu::ClockProcess> clock_;
};

}  // namespace kbx::eval
