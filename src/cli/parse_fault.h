// What to say of a command line that cannot be read.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace kbx::cli {

// One sentence: an unknown verb or option with the nearest known one, else the parser's own words; then where help is.
std::string parse_fault(const CLI::App& app, const CLI::ParseError& error);

}  // namespace kbx::cli
