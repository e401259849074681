// kbx doctor --models: one cheap call to every model whose provider can be asked.
#pragma once
#include "base/result.h"

namespace kbx::cli {

// Prints the table; exit code 1 when a model that was asked did not answer.
Result<int> ask_models(bool json);

}  // namespace kbx::cli
