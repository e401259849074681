// The first page's template and script, embedded from src/report/page.
#pragma once
#include <string>
#include <string_view>

namespace kbx::report {

std::string_view board_shell();
std::string board_script();

}  // namespace kbx::report
