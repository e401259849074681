// Running inline assembly.
#pragma once
#include "ir/context.h"

namespace kbx::ir {

void run_assembly(Context& c, const Inst& i);  // extra->assembly on extra->combine.in, into extra->combine.out

}  // namespace kbx::ir
