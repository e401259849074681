// Home: where this program's own files are, in a build tree, a source checkout and an unpacked release alike.
#pragma once
#include <filesystem>
#include <string>

#include "base/result.h"
#include "cli/settings.h"
#include "sandbox/fork_server.h"

namespace kbx::cli {

struct Home {
  std::filesystem::path share;    // holds suite/, worker/, report/
  std::filesystem::path library;  // libkbxworker.so
};

// The error names every place that was looked at.
Result<Home> find_home();
// The interpreter: the setting, else .venv of the checkout that holds this program, else python3 on PATH.
Result<std::string> find_python(const Settings& settings);
Result<sandbox::PythonHome> find_python_home(const Settings& settings);

}  // namespace kbx::cli
