// Fuzzes task.toml: any bytes end in a task or in an error with a message; a task can be made into its calls.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "suite/inputs.h"
#include "suite/prompt.h"
#include "suite/task_toml.h"

namespace {

// Drawing is bounded: a fuzzer would otherwise spend its time on large tensors.
bool small(const kbx::ArgSpec& arg) {
  double n = 1;
  for (int64_t d : arg.tensor.shape) n *= double(d);
  if (arg.tensor.params.count("rank") && arg.tensor.params.at("rank") > 64) return false;
  if (n > 4096) return false;
  for (const kbx::ArgSpec& item : arg.items)
    if (!small(item)) return false;
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto task = kbx::suite::parse_task({reinterpret_cast<const char*>(data), size}, "task.toml");
  if (!task) {
    if (task.error().message.empty()) std::abort();
    return 0;
  }
  kbx::suite::prompt(*task);
  for (const kbx::Case& c : task->cases) {
    bool all_small = true;
    for (const auto& [name, arg] : c.args) all_small &= small(arg);
    if (!all_small) continue;
    for (auto phase : {kbx::suite::Phase::standard, kbx::suite::Phase::outlier})
      if (!kbx::suite::make_call(*task, c, phase, 1)) std::abort();  // parse_task promises that it works
  }
  return 0;
}
