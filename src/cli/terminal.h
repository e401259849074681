// The terminal: results to stdout, progress and warnings to stderr. The only place that prints.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace kbx::cli {

bool stdout_is_terminal();
bool stderr_is_terminal();
bool use_colour();        // stdout is a terminal and NO_COLOR is not set
size_t terminal_width();  // columns of stderr's terminal; 120 for a pipe

void print(std::string_view text);    // stdout
void say(std::string_view text);      // stderr, one line
int report_error(const Error& error);  // stderr; returns the exit code

}  // namespace kbx::cli
