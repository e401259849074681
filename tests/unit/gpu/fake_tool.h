// A tool that stands in front of a clock process: it closes every inherited descriptor, runs what it is given, waits for
// it and only then writes its log.
#pragma once
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gpu/tool.h"

namespace kbx::gpu::testing {

class FakeTool {
 public:
  // `body`: python that runs after the target and uses log (the open file), option (its options by name), code (the
  // target's exit code). `before`: the same, in front of the target.
  FakeTool(const std::string& name, const std::string& body, const std::string& before = "") {
    folder_ = std::filesystem::temp_directory_path() / ("kbx-fake-tool-" + std::to_string(::getpid()) + "-" + std::to_string(count_++));
    std::filesystem::create_directories(folder_);
    std::ofstream out(folder_ / name);
    out << R"py(#!/usr/bin/python3
import subprocess, sys, time
if "--version" in sys.argv:
    print("NVIDIA (R) Fake\nCopyright (c) 2020-2025\nVersion 2025.3.1.0 (build 1)")
    sys.exit(0)
option, at = {}, 1
while at < len(sys.argv) and sys.argv[at].startswith("--"):
    bare = sys.argv[at] == "--csv"
    option[sys.argv[at][2:]] = "" if bare else sys.argv[at + 1]
    at += 1 if bare else 2
)py" << before << R"py(
print("words of the target and of the tool")
code = subprocess.run(sys.argv[at:], close_fds=True).returncode
with open(option["log-file"], "w") as log:
    pass
)py";
    std::string indented;
    for (size_t from = 0; from < body.size();) {
      size_t end = std::min(body.find('\n', from), body.size());
      indented += "    " + body.substr(from, end - from) + "\n";
      from = end + 1;
    }
    out << indented;
    out.close();
    ::chmod((folder_ / name).c_str(), 0755);
    tool_ = {name, (folder_ / name).string(), "2025.3.1.0"};
  }
  ~FakeTool() { std::filesystem::remove_all(folder_); }
  const Tool& tool() const { return tool_; }
  std::string folder() const { return folder_.string(); }

 private:
  static inline int count_ = 0;
  std::filesystem::path folder_;
  Tool tool_;
};

}  // namespace kbx::gpu::testing
