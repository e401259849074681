#include "cli/home.h"

#include <unistd.h>

#include <cstdlib>

#include "base/text.h"

namespace kbx::cli {
namespace fs = std::filesystem;
namespace {

fs::path program_folder() {
  std::error_code ec;
  return fs::read_symlink("/proc/self/exe", ec).parent_path();
}
bool runnable(const fs::path& p) { return ::access(p.c_str(), X_OK) == 0; }

}  // namespace

Result<Home> find_home() {
  fs::path root = program_folder().parent_path();
  Home home{root / "share" / "kbx", root / "lib" / "libkbxworker.so"};
  std::error_code ec;
  if (!fs::exists(home.share / "worker" / "zygote.py", ec) || !fs::exists(home.library, ec))
    return fail(Code::sandbox, "kbx's own files are missing: looked for " + (home.share / "worker" / "zygote.py").string() + " and " + home.library.string() +
                                   "; keep bin/, lib/ and share/ together");
  return home;
}

Result<std::string> find_python(const Settings& settings) {
  const std::string& wished = settings.text("python");
  if (!wished.empty() && wished.find('/') != wished.npos) {
    if (!runnable(wished)) return fail(Code::usage, "python " + wished + " cannot be run (from " + settings.entries().at("python").origin + ")");
    return fs::absolute(wished).string();
  }
  if (wished.empty())
    for (fs::path p : {program_folder().parent_path().parent_path() / ".venv" / "bin" / "python", fs::current_path() / ".venv" / "bin" / "python"})
      if (runnable(p)) return p.string();
  std::string name = wished.empty() ? "python3" : wished;
  const char* path = std::getenv("PATH");
  for (const std::string& dir : split(path ? path : "", ':'))
    if (!dir.empty() && runnable(fs::path(dir) / name)) return (fs::path(dir) / name).string();
  return fail(Code::usage, "no " + name + " on PATH; set KBX_PYTHON to a python that has torch and triton");
}

Result<sandbox::PythonHome> find_python_home(const Settings& settings) {
  KBX_TRY_ASSIGN(Home home, find_home());
  sandbox::PythonHome out;
  KBX_TRY_ASSIGN(out.python, find_python(settings));
  // Resolved: the jail and the cleared environment see plain paths.
  out.worker_folder = fs::canonical(home.share / "worker").string();
  out.library = fs::canonical(home.library).string();
  return out;
}

}  // namespace kbx::cli
