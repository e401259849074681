// The definedness of an instruction's result, after it ran.
#pragma once
#include "ir/context.h"

namespace kbx::ir {

void follow_undefined(Context& c, const Inst& i);

}  // namespace kbx::ir
