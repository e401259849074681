// The stored kernels of tests/ir/fixtures, and launches of them on small vectors.
#pragma once
#include <cstring>
#include <string>
#include <vector>

#include "base/files.h"
#include "gtest/gtest.h"
#include "ir/machine.h"

#if defined(__has_feature)
#define KBX_HAS_FEATURE(x) __has_feature(x)
#else
#define KBX_HAS_FEATURE(x) 0
#endif

namespace kbx::ir {

// A kernel that races on purpose, on two threads, is a race of the host too: not to be run under that sanitizer.
#if defined(__SANITIZE_THREAD__) || KBX_HAS_FEATURE(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

inline std::string fixture_path(const std::string& name) { return KBX_SOURCE_DIR "/tests/ir/fixtures/" + name; }
inline std::string fixture_text(const std::string& name) {
  auto text = read_file(fixture_path(name + ".ttir"));
  if (!text) ADD_FAILURE() << text.error().text();
  return text ? *text : std::string();
}
inline Program compile_fixture(const std::string& name) {
  auto program = compile(fixture_text(name));
  if (!program) ADD_FAILURE() << name << ": " << program.error().text();
  return std::move(program).value();
}

// A launch under construction: tensors are added in the order of the kernel's arguments.
class TestLaunch {
 public:
  explicit TestLaunch(const std::string& name) : program_(compile_fixture(name)) {}

  template <class T>
  TestLaunch& tensor(std::vector<T>& values) {
    spec.arguments.push_back(reinterpret_cast<uint64_t>(values.data()));
    spec.argument_ranges.push_back(static_cast<int32_t>(spec.ranges.size()));
    spec.ranges.push_back({reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(T), nullptr, sizeof(T),
                           static_cast<int>(100 + spec.ranges.size())});
    return *this;
  }
  // The last tensor starts with these undefined bytes.
  TestLaunch& undefined(std::vector<uint8_t>& map) {
    spec.ranges.back().undefined = map.data();
    return *this;
  }
  TestLaunch& number(int64_t value) {
    spec.arguments.push_back(static_cast<uint64_t>(value));
    spec.argument_ranges.push_back(-1);
    return *this;
  }
  Report run(int32_t programs = 1) {
    spec.grid = {programs, 1, 1};
    auto report = launch(program_, spec);
    if (!report) ADD_FAILURE() << report.error().text();
    return report ? *report : Report{};
  }
  const Program& program() const { return program_; }

  LaunchSpec spec;

 private:
  Program program_;
};

// "race_store_load@findings.py:47 out_of_bounds_load@.."
inline std::string found(const Report& report) {
  std::string text;
  for (const auto& f : report.findings) {
    if (!text.empty()) text += ' ';
    text += std::string(to_text(f.kind)) + "@" + f.where;
  }
  return text;
}

}  // namespace kbx::ir
