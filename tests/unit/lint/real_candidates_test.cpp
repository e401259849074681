// The rules over code that language models really wrote: nothing honest is refused, the decoys are.
// Needs the shared data (environment KBX_SHARED, or ../shared beside the repository); skips without it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "lint/lint.h"

namespace kbx::lint {
namespace {

std::filesystem::path data_folder() {
  const char* shared = std::getenv("KBX_SHARED");
  return (shared ? std::filesystem::path(shared) : std::filesystem::path(KBX_SOURCE_DIR).parent_path() / "shared") /
         "data";
}

// The longest block fenced as Python or as nothing; the whole text where there is none.
std::string code_of(const std::string& reply) {
  std::string best, block;
  bool inside = false, wanted = false, fenced = false;
  for (const std::string& line : split_lines(reply)) {
    if (starts_with(trim(line), "```")) {
      std::string language = trim(trim(line).substr(3));
      if (inside && wanted && block.size() > best.size()) best = block;
      inside = !inside;
      wanted = language.empty() || language == "python" || language == "py" || language == "python3";
      fenced |= inside && wanted;
      block.clear();
    } else if (inside) {
      block += line + "\n";
    }
  }
  if (inside && wanted && block.size() > best.size()) best = block;
  std::string code = fenced ? best : reply;
  return code.substr(0, code.find(std::string(146, '#')));
}

struct Counts {
  int candidates = 0;
  std::map<std::string, int> files;            // "rule severity" -> candidates
  std::map<std::string, std::string> rejects;  // task -> rules
};

Counts lint_file(const std::filesystem::path& path) {
  Counts counts;
  for (const std::string& line : split_lines(read_file(path).value())) {
    auto json = parse_json(line);
    if (!json) continue;
    LintInput input;
    std::string file = get_string(*json, "file").value_or("");
    std::string task = std::filesystem::path(file).stem();
    input.source = code_of(get_string(*json, "predict").value_or(""));
    input.entry = get_string(*json, "entry").value_or(task);
    input.accepted_entries = {task, "kernel_function"};
    input.quantization_task = file.find("uantiz") != std::string::npos;
    counts.candidates++;
    std::map<std::string, int> seen;
    for (const Finding& f : lint(input)) {
      seen[f.rule + " " + std::string(to_text(f.severity))] = 1;
      if (f.severity == Severity::reject && counts.rejects[task].find(f.rule) == std::string::npos)
        counts.rejects[task] += f.rule + " ";
    }
    for (const auto& [key, one] : seen) counts.files[key] += one;
  }
  return counts;
}

TEST(RealCandidates, OfTheWorkingKernelsOnlyDecoysAndLibraryCallsAreRefused) {
  auto path = data_folder() / "llm_kernels_public.jsonl";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "NOT RUN: no shared data at " << path;
  Counts counts = lint_file(path);
  EXPECT_EQ(counts.candidates, 32);
  // Read by hand: four define a kernel that nothing calls and compute with torch, one has no kernel.
  std::map<std::string, std::string> expected = {{"fused_lu_solve", "unreachable_kernel "},
                                                 {"fused_relu_max_pool2d_conv2d", "unreachable_kernel "},
                                                 {"invert_matrix_lu", "unreachable_kernel "},
                                                 {"fused_repeat_interleave_log_softmax", "unreachable_kernel "},
                                                 {"matrix_power_eig", "no_triton_kernel "}};
  EXPECT_EQ(counts.rejects, expected);
}

TEST(RealCandidates, PredictionsAreRefusedForWhatIsMissingOnly) {
  auto folder = data_folder() / "predictions";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "NOT RUN: no shared data at " << folder;
  int candidates = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    Counts counts = lint_file(entry.path());
    candidates += counts.candidates;
    std::printf("%s: %d candidates\n", entry.path().filename().c_str(), counts.candidates);
    for (const auto& [key, files] : counts.files) std::printf("  %-28s %d\n", key.c_str(), files);
    for (const auto& [task, rules] : counts.rejects) {
      // deepseek's relu assigns to triton.ops.relu: the one reject that is not an absence.
      std::string rest = task == "relu" ? "patching " : "";
      for (const std::string& rule : split(trim(rules), ' '))
        EXPECT_TRUE(rule == "entry_missing" || rule == "no_triton_kernel" || rule == "unreachable_kernel" ||
                    rule + " " == rest)
            << entry.path().filename() << " " << task << ": " << rules;
    }
  }
  EXPECT_EQ(candidates, 444);
}

}  // namespace
}  // namespace kbx::lint
