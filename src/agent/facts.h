// TaskFacts: what a loop knows of its task: words for prompts, names that the code may define. Nothing of cases, seeds,
// references or witnesses.
#pragma once
#include <map>
#include <string>

#include "intake/extract.h"
#include "model/gpu_spec.h"
#include "model/task.h"

namespace kbx::agent {

using Fields = std::map<std::string, std::string, std::less<>>;  // {{name}} -> text

struct TaskFacts {
  std::string task;         // the suite's name
  std::string description;  // what retrieval searches with
  intake::Target target;
  Fields fields;            // title, entry, signature, summary, contract, numerics, judged, rules, dtypes, device, ...
};

// `device`: lines about the card, of device_text(); "" = not known.
TaskFacts facts_of(const Task& task, std::string device);
// The datasheet's numbers as a few lines; "" for null.
std::string device_text(const GpuSpec* gpu);

}  // namespace kbx::agent
