// Which names a Python text binds and which it needs from elsewhere: enough to see that a wrapper calls a kernel that
// stands in another block of the same reply.
#pragma once
#include "intake/python_shape.h"
#include "intake/python_tokens.h"

namespace kbx::intake {

// Fills definitions, free_names and has_kernel. Scopes are not told apart: a name bound anywhere counts as bound.
void collect_names(const PythonTokens& tokens, PythonShape& out);

}  // namespace kbx::intake
