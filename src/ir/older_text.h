// Where Triton's releases write one operation differently: each form becomes the newest one when the text is read.
#pragma once
#include "ir/module.h"

namespace kbx::ir {

void modernise(Op& o);

}  // namespace kbx::ir
