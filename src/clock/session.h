// Session: the state of kbx-clock and its commands (docs/clock.md).
#pragma once
#include <map>
#include <optional>

#include "clock/compare.h"
#include "clock/runner.h"
#include "clock/sampling.h"
#include "clock/side.h"
#include "clock/wire.h"
#include "cuda/nvml.h"

namespace kbx::clock {

struct Options {
  int card = 0;
  KernelSource kernels;
  std::string connect;  // a tool stands in front: the socket to speak over; nothing is timed, so no floor is measured
};

class Session {
 public:
  // Error: what the first message says as fatal.
  static Result<std::unique_ptr<Session>> open(const Options& options);

  Json hello() const;
  // The answer to one command, never an exception; *dead: the process has to end after it.
  Message answer(const Message& command, bool* dead);

 private:
  using Command = Outcome<Message> (Session::*)(const Message&);
  static Command command_named(const std::string& name);
  Session() = default;
  Outcome<void> measure_floors();

  // commands_play.cpp
  Outcome<Message> load(const Message& m);
  Outcome<Message> unload(const Message& m);
  Outcome<Message> inputs(const Message& m);
  Outcome<Message> read(const Message& m);
  Outcome<Message> play(const Message& m);
  Outcome<Message> verify(const Message& m);
  Outcome<void> play_once(Side& side, double limit_ms) const;
  Outcome<Json> compare_all(const std::vector<Tolerance>& tolerances);

  // commands_time.cpp
  Outcome<Message> time(const Message& m);
  Outcome<Message> time_one(const Message& m);
  Outcome<Message> plain(const Message& m);
  Outcome<size_t> copies() const;  // that each loaded side should come to have
  Json sampling_json(const Sampling& s, bool pair) const;

  // commands_card.cpp
  Outcome<Message> memory(const Message& m);
  Outcome<Message> bandwidth(const Message& m);
  void add_state(Json& to, const char* when) const;

  Outcome<std::unique_ptr<Side>*> slot(const Json& command);
  Outcome<Side*> loaded(const Json& command);
  Outcome<int> set_of(const Json& command) const;

  std::unique_ptr<Card> card_;
  std::optional<Kernels> kernels_;
  std::unique_ptr<Runner> runner_;
  std::optional<cuda::Nvml> nvml_;
  double seconds_ = 0, floor_nothing_ = 0, floor_kernel_ = 0, floor_graph_ = 0, nominal_mhz_ = 0;
  std::unique_ptr<Side> candidate_, reference_;
  std::map<int, InputSet> sets_;
  std::vector<Tolerance> tolerances_;  // of the latest verify
};

}  // namespace kbx::clock
