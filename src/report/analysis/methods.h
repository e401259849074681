// Which method a candidate belongs to. In this order:
//   1. a rule: a glob over "run/candidate" or over the candidate's id, and the method's name;
//   2. the run's own facts: `method` (kbx eval --method NAME; a text, or an object with "name"), `generation.method` (kbx run);
//   3. the file that the candidate came from, where the id names one ("claude.jsonl:17" -> "claude");
//   4. the run's label.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace kbx::report {

struct MethodRule {
  std::string glob, name;
};
using MethodRules = std::vector<MethodRule>;  // the first that fits
inline constexpr std::string_view kLeftOut = "-";  // the name of a rule whose candidates are left out of an analysis

// "GLOB=NAME", split at the last '='. Error: usage.
Result<MethodRule> parse_method_rule(std::string_view text);

// '*' any characters, '?' one; everything else itself.
bool glob_matches(std::string_view glob, std::string_view text);

struct Method {
  std::string name;
  enum class From : unsigned char { rule, fact, file, run } from = From::run;
};
Method method_of(const MethodRules& rules, std::string_view run, const Json& facts, std::string_view candidate);
// How methods of this kind were found: "by the run's own facts", ...
std::string_view to_text(Method::From from);

}  // namespace kbx::report
