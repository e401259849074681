// Denylist: PyTorch computing and looking around that KernelAgent refuses before it runs anything. A first look only: what
// a candidate may do is the engine's rules (docs/lint.md).
#pragma once
#include <string>
#include <string_view>

namespace kbx::agent {

// What is not allowed and was found first, one sentence; "" = nothing. Comments and texts in quotes are not looked at.
std::string denied(std::string_view code);

}  // namespace kbx::agent
