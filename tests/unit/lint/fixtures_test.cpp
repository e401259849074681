// Every rule has a fixture tests/lint/<id>.py, and every fixture gives exactly the findings that it states.
// A fixture says: "# expect: rule, rule=severity" at a line's end; at its top "# expect-file: rule" for findings
// without a line, "# quantization: yes", "# forbidden: a, b", "# allowed: a", "# pad: N" (append N bytes of comment).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "lint/lint.h"

namespace kbx::lint {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(KBX_SOURCE_DIR) / "tests" / "lint";

// What stands after `label` in the line; empty if it does not occur.
std::string after(const std::string& line, const std::string& label) {
  size_t at = line.rfind(label);
  return at == std::string::npos ? "" : trim(line.substr(at + label.size()));
}

std::vector<std::string> list_of(const std::string& text) {
  std::vector<std::string> out;
  for (const std::string& part : split(text, ','))
    if (!trim(part).empty()) out.push_back(trim(part));
  return out;
}

struct Fixture {
  LintInput input;
  std::set<std::string> expected;  // "12 rule severity"
};

void expect(Fixture& f, int line, const std::string& text) {
  for (const std::string& item : list_of(text)) {
    std::vector<std::string> parts = split(item, '=');
    std::string severity = parts.size() > 1 ? parts[1] : "";
    for (const Rule* rule : all_rules())
      if (rule->id == parts[0] && severity.empty()) severity = to_text(rule->severity);
    f.expected.insert(std::to_string(line) + " " + parts[0] + " " + severity);
  }
}

Fixture load(const std::filesystem::path& path) {
  Fixture f;
  f.input.source = read_file(path).value();
  f.input.entry = "entry";
  f.input.accepted_entries = {"kernel_function"};
  int number = 0;
  for (const std::string& line : split_lines(f.input.source)) {
    number++;
    expect(f, number, after(line, "# expect: "));
    expect(f, 0, after(line, "# expect-file: "));
    if (!after(line, "# quantization: ").empty()) f.input.quantization_task = true;
    if (auto names = list_of(after(line, "# forbidden: ")); !names.empty()) f.input.forbidden_calls = names;
    if (auto names = list_of(after(line, "# allowed: ")); !names.empty()) f.input.allowed_calls = names;
    if (std::string pad = after(line, "# pad: "); !pad.empty())
      f.input.source += "#" + std::string(std::stoul(pad), ' ');
  }
  return f;
}

std::vector<std::filesystem::path> fixtures() {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    if (entry.path().extension() == ".py") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(LintFixtures, EveryRuleHasAFixtureThatExpectsIt) {
  for (const Rule* rule : all_rules()) {
    auto path = kFolder / (std::string(rule->id) + ".py");
    ASSERT_TRUE(std::filesystem::exists(path)) << "no fixture for rule " << rule->id;
    bool expected = false;
    for (const std::string& e : load(path).expected)
      expected |= e.find(" " + std::string(rule->id) + " " + std::string(to_text(rule->severity))) != std::string::npos;
    EXPECT_TRUE(expected) << path << " expects nothing of its rule at the rule's severity";
  }
}

TEST(LintFixtures, EveryFixtureBelongsToARule) {
  for (const auto& path : fixtures()) {
    std::string stem = path.stem();
    bool found =
        std::any_of(all_rules().begin(), all_rules().end(), [&](const Rule* r) { return starts_with(stem, r->id); });
    EXPECT_TRUE(found) << path;
  }
}

TEST(LintFixtures, FindingsAreExactlyThoseExpected) {
  for (const auto& path : fixtures()) {
    Fixture f = load(path);
    std::set<std::string> got;
    std::string details;
    for (const Finding& x : lint(f.input)) {
      got.insert(std::to_string(x.line) + " " + x.rule + " " + std::string(to_text(x.severity)));
      details += std::to_string(x.line) + ":" + std::to_string(x.column) + " " + x.rule + ": " + x.message + "\n";
      EXPECT_EQ(x.layer, Layer::lint);
      EXPECT_FALSE(x.message.empty());
    }
    for (const std::string& e : f.expected)
      EXPECT_TRUE(got.count(e)) << path.filename() << " misses: " << e << "\n" << details;
    for (const std::string& g : got)
      EXPECT_TRUE(f.expected.count(g)) << path.filename() << " has extra: " << g << "\n" << details;
  }
}

}  // namespace
}  // namespace kbx::lint
