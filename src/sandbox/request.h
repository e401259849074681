// What to ask of one worker process: a source, the limits, and the calls to make in order.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "model/tape.h"
#include "model/value.h"

namespace kbx::sandbox {

enum class Role : unsigned char { value, compile, reference, replay, gpu };
std::string_view to_text(Role role);

struct Limits {
  int64_t memory_bytes = int64_t(8) << 30;  // address space beyond what the zygote already maps
  double load_seconds = 120;                // import of the candidate
  double call_seconds = 10;                 // one call, unless the step says otherwise
  double job_seconds = 300;                 // the whole conversation
  int64_t file_bytes = int64_t(1) << 30;    // one written file, and the private tmpfs
  int processes = 64;
  int64_t output_kept = 64 << 10;           // bytes of printed text kept (head and tail)
};

struct CallStep {
  std::string entry;                        // reference: the function; else empty (the loaded entry)
  std::string mode = "eager";               // eager | truth | permuted
  const Call* call = nullptr;               // never null; must outlive run()
  const std::vector<std::string>* names = nullptr;  // parameter name of each positional argument; never null
  std::vector<std::string> mutates;
  std::vector<std::pair<std::string, int>> permute;
  uint64_t permute_seed = 0;
  double seconds = 0;                       // 0 = Limits::call_seconds
  const Tape* tape = nullptr;               // role replay: played on the call's inputs; its outputs come as one tuple
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
  bool strict = false;                      // role value: tensors whose device is cuda:0, which refuse what a GPU refuses
  int64_t output_capacity = int64_t(64) << 20;  // bytes for the results of one call
  std::vector<CallStep> steps;
  bool stop_after_failure = false;          // do not make further calls after one that failed
  bool jail = true;
  Limits limits;
};

}  // namespace kbx::sandbox
