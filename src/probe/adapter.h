// Adapter: one call of the driver, as CUPTI shows it, -> the recorder. Handles are followed always, on exit and after
// success; work is taken on entry, while a run is recorded.
#pragma once
#include <cupti.h>

#include <map>

#include "probe/graph.h"

namespace kbx::probe {

struct DriverCall {
  CUpti_CallbackId id = 0;
  bool enters = true;
  const char* function = "";         // its name
  const char* symbol = nullptr;      // launches: the kernel's mangled name
  const void* parameters = nullptr;  // NAME_params of generated_cuda_meta.h
  CUresult result = CUDA_SUCCESS;    // on exit
};

// The calls that are wanted even when nothing is recorded.
const std::vector<CUpti_CallbackId>& always_wanted();

class Adapter {
 public:
  Adapter(const cuda::Driver& driver, Recorder& recorder) : driver_(driver), recorder_(recorder) {}
  void take(const DriverCall& call);

 private:
  // Each returns whether the call was one of its own.
  bool loads(const DriverCall& call);
  bool names(const DriverCall& call);
  bool memory(const DriverCall& call);
  bool graphs(const DriverCall& call);
  bool waits(const DriverCall& call);
  bool launches(const DriverCall& call);
  bool fills(const DriverCall& call);
  bool copies(const DriverCall& call);
  bool copies_2d(const DriverCall& call);
  bool events(const DriverCall& call);
  void changed_graph(CUgraphExec exec) { graphs_[exec].trouble = "it was changed node by node"; }

  const cuda::Driver& driver_;
  Recorder& recorder_;
  std::map<Handle, ReadGraph> graphs_;  // CUgraphExec ->
};

// Work that has no entry in a tape, or memory that is not the arena's: `function` makes such a run unplayable.
bool is_trouble(const char* function);

}  // namespace kbx::probe
