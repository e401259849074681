// Collects findings from all threads of a launch; equal ones (kind, operation, range) are counted, not repeated.
#pragma once
#include <mutex>
#include <unordered_map>
#include <vector>

#include "ir/machine.h"
#include "ir/program.h"

namespace kbx::ir {

struct Context;

inline constexpr uint32_t kNoPlace = 0xffffffff;

// One occurrence, before text is made of it.
struct Occurrence {
  FindingKind kind = FindingKind::time_limit;
  uint32_t place = kNoPlace;  // index into MachineCode::places
  uint32_t other_place = kNoPlace;
  int range = -1;
  uint64_t count = 1;
  int64_t distance = 0, offset = -1, element = -1;
  uint32_t width = 0;          // bytes of an element; 0 = no element of a tensor
  uint32_t program = 0;        // linear index
  int64_t other_program = -1;  // linear index, -1 = unknown
};

class FindingLog {
 public:
  FindingLog(const MachineCode& code, const LaunchSpec& spec) : code_(code), spec_(spec) {}

  void add(const Occurrence& occurrence);
  void add(Finding finding);
  // The findings in a stable order (not the threads' order), and how many did not fit.
  void move_into(Report& report);

 private:
  std::array<int32_t, 3> coordinates(int64_t program) const;
  void locate(Finding& f) const;

  const MachineCode& code_;
  const LaunchSpec& spec_;
  std::mutex mutex_;
  std::vector<Finding> findings_;
  std::unordered_map<uint64_t, size_t> index_;  // key -> index in findings_
  uint64_t dropped_ = 0;
};

}  // namespace kbx::ir
