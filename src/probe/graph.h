// Graph: a candidate's own CUDA graph, read when it is instantiated, as calls in an order that its edges allow. Played
// on one stream at each cuGraphLaunch: right, and without the overlap of branches that a graph may have.
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "cuda/driver.h"
#include "probe/recorder.h"

namespace kbx::probe {

// Indices 0..count-1, each after everything that has an edge to it, ties by index. Nothing when there is a cycle.
std::optional<std::vector<size_t>> topological_order(size_t count, const std::vector<std::pair<size_t, size_t>>& edges);

struct ReadGraph {
  std::vector<AnyCall> calls;
  std::string trouble;  // "" or why it cannot be played
};
ReadGraph read_graph(const cuda::Driver& driver, Recorder& recorder, CUgraph graph);

CopyCall copy_of(const CUDA_MEMCPY3D& copy, std::string& why);  // one- and two-dimensional copies of plain memory

}  // namespace kbx::probe
