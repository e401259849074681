// The word by which a worker is told how a task is called.
#pragma once
#include <string_view>

#include "model/task.h"

namespace kbx::eval {

inline std::string_view protocol_of(const Task& task) { return task.protocol == Task::Protocol::optimizer ? "optimizer" : "function"; }

}  // namespace kbx::eval
