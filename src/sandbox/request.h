// What to ask of one worker process: a source, the limits, and the calls to make in order.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "model/tape.h"
#include "model/value.h"
#include "sandbox/kernel_cache.h"

namespace kbx::sandbox {

enum class Role : unsigned char { value, compile, reference, replay, gpu };
std::string_view to_text(Role role);

struct Limits {
  int64_t memory_bytes = int64_t(8) << 30;  // address space beyond what the zygote already maps
  double prepare_seconds = 60;              // role gpu: CUDA made ready, before the candidate is there
  double load_seconds = 120;                // import of the candidate
  double call_seconds = 10;                 // one call, unless the step says otherwise
  double job_seconds = 300;                 // the whole conversation
  int64_t file_bytes = int64_t(1) << 30;    // one written file, and the private tmpfs
  int processes = 64;
  int64_t output_kept = 64 << 10;           // bytes of printed text kept (head and tail)
};

struct CallStep {
  std::string entry;                        // reference: the function; else empty (the loaded entry)
  std::string mode = "eager";               // eager | truth | permuted | narrow
  const Call* call = nullptr;               // never null; must outlive run()
  const std::vector<std::string>* names = nullptr;  // parameter name of each positional argument; never null
  std::vector<std::string> mutates;
  std::vector<std::pair<std::string, int>> permute;
  uint64_t permute_seed = 0;
  double seconds = 0;                       // 0 = Limits::call_seconds
  // Role gpu. Tensors without bytes are drawn on the card, each by the next of these (suite/drawn.h).
  std::vector<Json> draws;
  bool returns = true;                      // false: nothing of the result comes back, the call is recorded or timed only
  bool record = false;                      // after the call whose result is returned, one more under the recorder
  int warm = 1;                             // calls before that one, not recorded (autotuning, compilation)
  int host_calls = 0;                       // then so many calls as a user makes them, each timed
  // Asked before the step: false ends the calls. For what is worth its time on the card only if the rest was right.
  std::function<bool(const struct Outcome&)> worth;
  const Tape* tape = nullptr;               // role replay: played on the call's inputs; its outputs come as one tuple
};

// Role gpu: what takes down the work of a call on the card.
struct DeviceRecorder {
  std::string probe;                        // libkbxprobe.so
  std::vector<std::string> cupti;           // where libcupti may be, best first
  uint64_t arena_base = 0;                  // device address of all tensors (model/device_tape.h)
};

struct Request {
  Role role = Role::value;
  std::string source;
  std::vector<std::string> entries;         // accepted names, first that exists wins
  std::string protocol = "function";
  int arch = 90;
  std::vector<int> archs;                   // role compile
  int threads = 1;
  double kernel_seconds = 20;
  double compile_seconds = 0;               // role compile: budget for all kernels; 0 = none
  bool undefined = true, races = true, counts = true;
  std::string order = "forward";            // of a launch's programs: forward | reverse | shuffled
  bool tape = false;                        // role value: take down each call's tape
  std::map<std::string, std::string> texts; // role replay: the kernels' TTIR by hash
  int gpu = 0;                              // role gpu: which card
  std::optional<DeviceRecorder> recorder;   // role gpu
  std::optional<bool> tf32;                 // role gpu, a reference: whether torch's products and convolutions may use it
  const KernelCache* kernels = nullptr;     // role compile fills it, role gpu starts from it; must outlive run()
  // Role gpu, both on the thread of run(). before_load: the card is ready and the candidate not yet there; waits for the
  // card to be free, which counts into no limit; an error ends the run. done_on_card, once for every before_load that
  // succeeded: a process that answered everything has only to leave (its exit takes 65 to 160 ms), one that did not has
  // been killed and reaped. A process that leaves may still compute: whoever measures waits for run() to return.
  std::function<Result<void>()> before_load;
  std::function<void()> done_on_card;
  bool strict = false;                      // role value: tensors whose device is cuda:0, which refuse what a GPU refuses
  int64_t output_capacity = int64_t(64) << 20;  // bytes for the results of one call
  std::vector<CallStep> steps;
  bool stop_after_failure = false;          // do not make further calls after one that failed
  bool jail = true;
  Limits limits;
};

}  // namespace kbx::sandbox
