// Names::constant(): strings that are put together from constant parts.
#include <algorithm>

#include "lint/literals.h"
#include "lint/names.h"

namespace kbx::lint {
namespace {
constexpr size_t kLongest = 512;
}

std::optional<std::string> Names::constant(NodeId id) {
  id = id == kNoNode ? kNoNode : source_.bare(id);
  if (id == kNoNode || depth_ >= 32) return std::nullopt;
  depth_++;
  std::optional<std::string> text = constant_of(id);
  depth_--;
  if (text && text->size() > kLongest) return std::nullopt;
  return text;
}

std::optional<std::string> Names::constant_of(NodeId id) {
  std::string_view kind = source_.kind(id);
  if (kind == "string") return formatted(id);
  if (kind == "concatenated_string") {
    std::string out;
    for (NodeId c = source_.first(id); c != kNoNode && out.size() <= kLongest; c = source_.next(c)) {
      auto part = formatted(c);
      if (!part) return std::nullopt;
      out += *part;
    }
    return out;
  }
  if (kind == "binary_operator") {
    NodeId op = source_.child(id, "operator");
    if (op == kNoNode || source_.text(op) != "+") return std::nullopt;
    auto left = constant(source_.child(id, "left")), right = constant(source_.child(id, "right"));
    return left && right ? std::optional(*left + *right) : std::nullopt;
  }
  if (kind == "identifier") {
    SymbolId symbol = scopes_.lookup(id, source_.text(id));
    if (symbol == kNoSymbol) return std::nullopt;
    const std::vector<Binding>& bindings = scopes_.symbols()[symbol].bindings;
    if (bindings.size() != 1 || bindings[0].kind != Binding::value) return std::nullopt;
    return constant(bindings[0].node);
  }
  if (kind == "subscript") {  // "elipmoc"[::-1]
    NodeId slice = source_.child(id, "subscript");
    if (slice == kNoNode || source_.text(slice) != "::-1") return std::nullopt;
    auto text = constant(source_.child(id, "value"));
    if (text) std::reverse(text->begin(), text->end());
    return text;
  }
  return kind == "call" ? joined(id) : std::nullopt;
}

// "".join([...]), "...".lower(), b"...".decode(), str("..."), chr(99) and the like.
std::optional<std::string> Names::joined(NodeId call) {
  NodeId callee = source_.bare(source_.child(call, "function"));
  if (callee == kNoNode) return std::nullopt;
  std::vector<NodeId> args = arguments(call);
  if (source_.kind(callee) == "identifier" && args.size() == 1) {
    if (source_.text(callee) == "str") return constant(args[0]);
    if (source_.text(callee) != "chr" || source_.kind(args[0]) != "integer") return std::nullopt;
    int code = std::atoi(std::string(source_.text(args[0]).substr(0, 6)).c_str());
    return code > 0 && code < 128 ? std::optional(std::string(1, char(code))) : std::nullopt;
  }
  if (source_.kind(callee) != "attribute") return std::nullopt;
  NodeId method = source_.child(callee, "attribute");
  auto text = constant(source_.child(callee, "object"));
  if (!text || method == kNoNode) return std::nullopt;
  std::string_view m = source_.text(method);
  if (m == "decode" || m == "strip" || m == "encode") return text;
  if (m == "lower") {
    std::transform(text->begin(), text->end(), text->begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    return text;
  }
  if (m != "join" || args.size() != 1) return std::nullopt;
  std::string_view row = source_.kind(args[0]);
  if (row != "list" && row != "tuple") return std::nullopt;
  std::string out;
  for (NodeId c = source_.first(args[0]); c != kNoNode && out.size() <= kLongest; c = source_.next(c)) {
    auto part = constant(c);
    if (!part) return std::nullopt;
    if (c != source_.first(args[0])) out += *text;
    out += *part;
  }
  return out;
}

std::optional<std::string> Names::formatted(NodeId string) {
  if (source_.kind(string) != "string") return std::nullopt;
  if (auto plain = string_literal(source_, string)) return plain;
  std::string out;
  for (NodeId c = source_.first(string); c != kNoNode && out.size() <= kLongest; c = source_.next(c)) {
    std::string_view kind = source_.kind(c);
    if (kind == "string_content") out += source_.text(c);
    if (kind != "interpolation") continue;
    if (source_.children(c).size() != 1) return std::nullopt;
    auto part = constant(source_.child(c, "expression"));
    if (!part) return std::nullopt;
    out += *part;
  }
  return out;
}

}  // namespace kbx::lint
