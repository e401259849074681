// Methods of candidates: see the header.
#include "report/analysis/methods.h"

#include <array>

namespace kbx::report {

Result<MethodRule> parse_method_rule(std::string_view text) {
  size_t at = text.rfind('=');
  if (at == text.npos || at == 0 || at + 1 == text.size())
    return fail(Code::usage, "a rule for methods is GLOB=NAME, as in 'claude*.jsonl:*=claude', not \"" + std::string(text) + "\"");
  return MethodRule{std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

bool glob_matches(std::string_view glob, std::string_view text) {
  size_t g = 0, t = 0, star = glob.npos, back = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      back = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      g++;
      t++;
    } else if (star != glob.npos) {
      g = star + 1;
      t = ++back;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') g++;
  return g == glob.size();
}

Method method_of(const MethodRules& rules, std::string_view run, const Json& facts, std::string_view candidate) {
  if (!rules.empty()) {
    std::string whole = std::string(run) + "/" + std::string(candidate);
    for (const MethodRule& rule : rules)
      if (glob_matches(rule.glob, candidate) || glob_matches(rule.glob, whole)) return {rule.name, Method::From::rule};
  }
  if (auto name = get_string(facts, "method")) return {*name, Method::From::fact};
  if (auto name = get_string(get(facts, "method"), "name")) return {*name, Method::From::fact};
  if (auto name = get_string(get(facts, "generation"), "method")) return {*name, Method::From::fact};
  size_t colon = candidate.rfind(':');
  if (colon != candidate.npos && colon > 0) {
    std::string_view file = candidate.substr(0, colon);
    if (size_t slash = file.rfind('/'); slash != file.npos) file = file.substr(slash + 1);
    if (size_t dot = file.rfind('.'); dot != file.npos && dot > 0) file = file.substr(0, dot);
    if (!file.empty()) return {std::string(file), Method::From::file};
  }
  return {std::string(run), Method::From::run};
}

std::string_view to_text(Method::From from) {
  constexpr std::array<std::string_view, 4> kTexts = {"by the rules given", "by the run's own facts", "by the file each candidate came from", "by the run's name"};
  return kTexts[size_t(from)];
}

}  // namespace kbx::report
