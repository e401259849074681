// Lane: the calls that wait for one provider: which one goes out and when, what its end means for the others, whether it is
// tried again. Pure: time and chance are arguments. It knows calls by number alone.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "llm/backoff.h"
#include "llm/breaker.h"
#include "llm/rate_gate.h"

namespace kbx::llm {

struct Ticket {
  uint64_t call = 0;
  double in_tokens = 0, out_tokens = 0;  // what it may take, for the gate
  int tries = 0;                         // that have ended
};

class Lane {
 public:
  Lane(const Provider& provider, BackoffRules backoff, BreakerRules breaker, double now);

  void add(Ticket ticket) { fresh_.push_back(ticket); }
  bool remove(uint64_t call);  // false: it does not wait here

  // The call that goes out now. None: `wake` becomes the earliest time at which to ask again, if it was later.
  std::optional<Ticket> next(double now, double& wake);
  // The try of a call that next() gave ended, `begun` when it had been sent. Waits again when true is returned; `notice`:
  // one line for a person, or empty.
  bool ended(Ticket ticket, double begun, const ChatResult& result, const Headers& headers, double now, double unix_now, double chance, std::string& notice);

  // No other call can do better: one sentence that says why. All that wait are to be taken out and ended with it.
  const std::optional<ApiError>& stopped() const { return stopped_; }
  std::vector<uint64_t> take_all();
  const RateGate& gate() const { return gate_; }

 private:
  void learn(const ApiError& error, double begun, double now);
  void stop(const ApiError& error);
  bool may_go(const Ticket& ticket, double now, double& wake);

  std::string name_, key_source_;
  int retries_;
  BackoffRules backoff_;
  RateGate gate_;
  Breaker breaker_;
  std::deque<Ticket> fresh_;
  std::multimap<double, Ticket> again_;  // by the time of the next try
  std::optional<ApiError> stopped_;
};

}  // namespace kbx::llm
