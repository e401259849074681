// Python's rules for binding a call to a signature.
#include "suite/binding.h"

#include <fmt/core.h>

#include "suite/signature.h"

namespace kbx::suite {
namespace {

using Kind = Parameter::Kind;

Bound start(const Parameter& p) {
  Bound b;
  b.name = p.name;
  if (p.kind == Kind::variadic) b.value.kind = ValueKind::tuple;
  return b;
}

// Fills the positional parameters, then the variadic one.
Result<void> bind_positional(const Signature& signature, const Call& call, std::vector<Bound>& out) {
  size_t next = 0;
  for (size_t k = 0; k < signature.parameters.size(); k++) {
    if (signature.parameters[k].kind == Kind::keyword) break;
    if (signature.parameters[k].kind == Kind::variadic) {
      out[k].given = next < call.args.size();
      out[k].value.items.assign(call.args.begin() + std::ptrdiff_t(next), call.args.end());
      return {};
    }
    if (next == call.args.size()) continue;
    out[k].value = call.args[next++];
    out[k].given = true;
  }
  if (next < call.args.size())
    return fail(Code::usage, fmt::format("{} takes {} positional arguments but {} were given", signature.name, next,
                                         call.args.size()));
  return {};
}

Result<void> bind_keywords(const Signature& signature, const Call& call, std::vector<Bound>& out) {
  for (const auto& [name, value] : call.kwargs) {
    const Parameter* p = find_parameter(signature, name);
    if (!p || p->kind == Kind::variadic)
      return fail(Code::usage, fmt::format("{} has no keyword '{}'", signature.name, name));
    Bound& b = out[size_t(p - signature.parameters.data())];
    if (b.given) return fail(Code::usage, fmt::format("{} got '{}' twice", signature.name, name));
    b.value = value;
    b.given = true;
  }
  return {};
}

}  // namespace

Result<std::vector<Bound>> bind(const Signature& signature, const Call& call) {
  std::vector<Bound> out;
  for (const Parameter& p : signature.parameters) out.push_back(start(p));
  KBX_TRY(bind_positional(signature, call, out));
  KBX_TRY(bind_keywords(signature, call, out));
  for (size_t k = 0; k < out.size(); k++) {
    const Parameter& p = signature.parameters[k];
    if (out[k].given || p.kind == Kind::variadic) continue;
    if (!p.default_text) return fail(Code::usage, fmt::format("{} misses argument '{}'", signature.name, p.name));
    out[k].value = literal_value(*p.default_text);
  }
  return out;
}

const Value* find_argument(const std::vector<Bound>& arguments, std::string_view name) {
  for (const Bound& b : arguments)
    if (b.name == name) return &b.value;
  return nullptr;
}

}  // namespace kbx::suite
