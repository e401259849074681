// What one conversation with a worker came to, as plain data. Everything here that a worker said is a claim; values were
// length-checked and copied. A worker's death is data, never an Error.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/finding.h"
#include "model/measurement.h"
#include "model/tape.h"
#include "model/value.h"

namespace kbx::sandbox {

// How the process ended, as the supervisor saw it.
enum class Fate : unsigned char {
  finished,   // said bye and left with 0
  exited,     // left without bye: exit(), os._exit(), an atexit trick
  signaled,   // died of a signal
  timeout,    // a step did not answer in time: killed
  babbled     // broke the protocol (malformed frame, lying lengths): killed
};
std::string_view to_text(Fate fate);

// An exception as the worker reported it. `kind` is one of docs/wire.md's ERROR kinds.
struct WorkerError {
  std::string kind, type, message, traceback;
  int line = 0;
  std::vector<std::string> bases = {};  // class names that `type` is derived from, nearest first, as the worker says
};

struct StepResult {
  bool answered = false;              // false: the worker died or was killed during this step
  bool ok = false;                    // the call returned
  std::optional<WorkerError> error;
  Value result;
  std::map<std::string, Tensor> mutated;      // final contents of the arguments named in CallStep::mutates
  std::vector<std::string> changed_inputs;    // arguments that must stay untouched and did not, with the first byte
  bool redzone_hit = false;           // bytes around an input were overwritten
  std::vector<std::string> aliases;   // "result[0] aliases input"
  std::vector<Launch> launches;
  std::vector<Finding> findings;
  std::map<std::string, int64_t> ops; // ATen operators that ran, with counts
  std::vector<Compiled> compiled;
  int64_t compile_skipped = 0;        // specialisations that the compile budget left out so far
  double seconds = 0;                 // by the supervisor's clock
  std::optional<Tape> tape;           // where it was asked for and the call returned
  Bytes device_tape;                  // the recorded call (model/device_tape.h), unchecked; empty: see device_trouble
  std::set<std::string> images;       // SHA-256 of what Triton compiled for the worker so far, as the worker says
  std::string device_trouble;         // why a call that was to be recorded was not
  double host_seconds = 0;            // median of CallStep::host_calls calls, as the worker says
};

struct Outcome {
  Fate fate = Fate::finished;
  int exit_code = 0, signal = 0;
  bool killed_by_others = false;      // SIGKILL that kbx did not send
  std::optional<WorkerError> load_error;  // importing failed or the entry is missing
  bool loaded = false;
  std::vector<StepResult> steps;
  std::map<std::string, std::string> texts;  // TTIR of the kernels on the tapes, by hash
  std::string output;                 // what the candidate printed, cut in the middle
  int64_t output_bytes = 0;           // how much it printed in all
  double prepare_seconds = 0, waited_seconds = 0;  // role gpu: fork to ready; in Request::before_load. Not in `seconds`
  double load_seconds = 0, seconds = 0, user_seconds = 0, cpu_seconds = 0;
  int64_t max_rss_bytes = 0;
  std::string note;                   // why it was killed, in words
};

}  // namespace kbx::sandbox
