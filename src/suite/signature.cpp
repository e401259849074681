// A hand-written scanner: a signature is split at the top-level commas, each part at its top-level ':' and '='.
#include "suite/signature.h"

#include <fmt/core.h>

#include <cctype>
#include <set>
#include <vector>

#include "base/text.h"

namespace kbx::suite {
namespace {

bool name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_name(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  for (char c : text)
    if (!name_char(c)) return false;
  return true;
}

tl::unexpected<Error> wrong(size_t at, const std::string& what) {
  return fail(Code::usage, fmt::format("entry signature, column {}: {}", at + 1, what));
}

// The end of the Python string that starts at `at`, or npos.
size_t skip_string(std::string_view text, size_t at) {
  char quote = text[at];
  for (size_t k = at + 1; k < text.size(); k++) {
    if (text[k] == '\\')
      k++;
    else if (text[k] == quote)
      return k;
  }
  return text.npos;
}

char closer(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

// From `at`, the first top-level position of one of `stops`; text.size() when there is none.
Result<size_t> scan_to(std::string_view text, size_t at, std::string_view stops) {
  std::string open;
  for (size_t k = at; k < text.size(); k++) {
    char c = text[k];
    if (open.empty() && stops.find(c) != stops.npos) return k;
    if (c == '\'' || c == '"') {
      size_t end = skip_string(text, k);
      if (end == text.npos) return wrong(k, "a string that does not end");
      k = end;
    } else if (c == '(' || c == '[' || c == '{') {
      open += closer(c);
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || open.back() != c) return wrong(k, fmt::format("'{}' closes nothing", c));
      open.pop_back();
    }
  }
  if (!open.empty()) return wrong(text.size(), fmt::format("'{}' is missing", open.back()));
  return text.size();
}

struct Part {
  size_t at;
  std::string_view text;
};

Part stripped(std::string_view whole, size_t begin, size_t end) {
  while (begin < end && std::isspace(static_cast<unsigned char>(whole[begin]))) begin++;
  while (end > begin && std::isspace(static_cast<unsigned char>(whole[end - 1]))) end--;
  return {begin, whole.substr(begin, end - begin)};
}

// "x", "x: T", "x = d", "x: T = d", with the stars already taken off.
Result<Parameter> parse_parameter(Part part, Parameter::Kind kind) {
  Parameter p;
  p.kind = kind;
  KBX_TRY_ASSIGN(size_t name_end, scan_to(part.text, 0, ":="));
  p.name = trim(part.text.substr(0, name_end));
  if (!is_name(p.name)) return wrong(part.at, fmt::format("'{}' is not a parameter name", p.name));
  if (name_end == part.text.size()) return p;
  size_t at = name_end;
  if (part.text[at] == ':') {
    KBX_TRY_ASSIGN(size_t end, scan_to(part.text, at + 1, "="));
    p.annotation = trim(part.text.substr(at + 1, end - at - 1));
    if (p.annotation.empty()) return wrong(part.at + at, "an annotation is missing after ':'");
    at = end;
  }
  if (at < part.text.size()) {
    p.default_text = trim(part.text.substr(at + 1));
    if (p.default_text->empty()) return wrong(part.at + at, "a default is missing after '='");
    if (kind == Parameter::Kind::variadic) return wrong(part.at + at, "a variadic parameter has no default");
  }
  return p;
}

struct Builder {
  Signature signature;
  std::set<std::string> seen;
  bool keyword_only = false, after_default = false, bare_star = false;

  Result<void> add(Part part) {
    if (part.text.empty()) return wrong(part.at, "a parameter is missing between two commas");
    if (part.text == "/") return {};
    if (starts_with(part.text, "**")) return wrong(part.at, "**kwargs cannot be called by a case: name the keywords");
    auto kind = keyword_only ? Parameter::Kind::keyword : Parameter::Kind::positional;
    if (part.text[0] == '*') {
      if (keyword_only) return wrong(part.at, "a second '*'");
      keyword_only = true;
      if (part.text == "*") {
        bare_star = true;
        return {};
      }
      kind = Parameter::Kind::variadic;
      part = {part.at + 1, part.text.substr(1)};
    }
    KBX_TRY_ASSIGN(Parameter p, parse_parameter(part, kind));
    if (!seen.insert(p.name).second) return wrong(part.at, fmt::format("parameter '{}' twice", p.name));
    if (kind == Parameter::Kind::positional) {
      if (after_default && !p.default_text)
        return wrong(part.at, fmt::format("parameter '{}' without a default follows one with a default", p.name));
      after_default |= p.default_text.has_value();
    }
    bare_star &= kind != Parameter::Kind::keyword;
    signature.parameters.push_back(std::move(p));
    return {};
  }
};

// "-> T" or nothing, then an optional ":".
Result<std::string> parse_tail(std::string_view text, size_t at) {
  Part tail = stripped(text, at, text.size());
  if (ends_with(tail.text, ":")) tail = stripped(text, tail.at, tail.at + tail.text.size() - 1);
  if (tail.text.empty()) return std::string();
  if (!starts_with(tail.text, "->")) return wrong(tail.at, "expected '-> TYPE' or the end");
  std::string returns = trim(tail.text.substr(2));
  if (returns.empty()) return wrong(tail.at, "a type is missing after '->'");
  KBX_TRY(scan_to(returns, 0, ""));
  return returns;
}

}  // namespace

Result<Signature> parse_signature(std::string_view text) {
  Part whole = stripped(text, 0, text.size());
  size_t at = whole.at;
  if (starts_with(whole.text, "def ")) at += 4;
  size_t open = text.find('(', at);
  if (open == text.npos) return wrong(text.size(), "'(' is missing; expected name(parameters)");
  Builder builder;
  builder.signature.text = std::string(whole.text);
  builder.signature.name = trim(text.substr(at, open - at));
  if (!is_name(builder.signature.name))
    return wrong(at, fmt::format("'{}' is not a function name", builder.signature.name));
  for (at = open + 1;;) {
    if (at > text.size()) return wrong(text.size(), "')' is missing");
    KBX_TRY_ASSIGN(size_t end, scan_to(text, at, ",)"));
    if (end == text.size()) return wrong(end, "')' is missing");
    Part part = stripped(text, at, end);
    bool last = text[end] == ')';
    if (!(last && part.text.empty())) KBX_TRY(builder.add(part));  // f() and a trailing comma
    at = end + 1;
    if (last) break;
  }
  if (builder.bare_star) return wrong(open, "no keyword follows the bare '*'");
  KBX_TRY_ASSIGN(builder.signature.returns, parse_tail(text, at));
  return std::move(builder.signature);
}

const Parameter* find_parameter(const Signature& signature, std::string_view name) {
  for (const Parameter& p : signature.parameters)
    if (p.name == name) return &p;
  return nullptr;
}

}  // namespace kbx::suite
