// "name"(operands)[successors] <{properties}> ({regions}) {attributes} : (types) -> types loc(..), recursively.
//
// The first failure is remembered and moves the position to the end of the text, where every loop stops; so the
// functions below need no error path of their own.
#include "ir/reader.h"

#include <algorithm>
#include <unordered_map>

#include "ir/older_text.h"
#include "ir/scan_text.h"

namespace kbx::ir {
namespace {

struct Definition {
  ValueId first = 0;
  uint32_t count = 1;
};

class Reader {
 public:
  Reader(std::string_view text, const ReaderLimits& limits) : limits_(limits) {
    module_.text.assign(text.begin(), text.end());
    s_ = {module_.text.data(), module_.text.size()};
  }

  Result<Module> read() {
    if (s_.size() > limits_.text_bytes) fail("the text is too long");
    scopes_.emplace_back();
    aliases();
    Op top = op(0);
    aliases();
    space();
    if (ok() && p_ != s_.size()) fail("expected the end of the text");
    if (ok() && top.name != "builtin.module") fail("expected a builtin.module");
    if (ok() && top.regions.empty()) fail("the module has no region");
    if (!ok()) return kbx::fail(Code::usage, "malformed: line " + std::to_string(line_) + ": " + why_);
    for (auto& block : top.regions[0].blocks)
      for (auto& o : block.ops)
        if (o.name == "tt.func") module_.functions.push_back(std::move(o));
    return std::move(module_);
  }

 private:
  bool ok() const { return why_.empty(); }
  bool more() const { return p_ < s_.size(); }
  void fail(std::string why) {
    if (!ok()) return;
    why_ = std::move(why);
    line_ = 1 + static_cast<size_t>(std::count(s_.begin(), s_.begin() + static_cast<ptrdiff_t>(p_), '\n'));
    p_ = s_.size();
  }

  void space() {
    while (more()) {
      if (is_space(s_[p_]))
        p_++;
      else if (s_.substr(p_, 2) == "//")
        p_ = std::min(s_.find('\n', p_), s_.size());
      else
        return;
    }
  }
  bool at(std::string_view t) { return space(), s_.substr(p_, t.size()) == t; }
  bool eat(std::string_view t) { return at(t) && (p_ += t.size(), true); }
  void need(std::string_view t) {
    if (!eat(t)) fail("expected '" + std::string(t) + "'");
  }
  static bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '$' || c == '-'; }
  std::string_view word() {
    space();
    size_t begin = p_;
    while (more() && is_word(s_[p_])) p_++;
    if (begin == p_) fail("expected a name");
    return ok() ? s_.substr(begin, p_ - begin) : std::string_view();
  }
  uint32_t number(uint32_t limit) {
    std::string_view digits = word();
    uint64_t value = 0;
    if (ok() && (scan_unsigned(digits, value) != digits.size() || value > limit)) fail("a number out of range");
    return ok() ? static_cast<uint32_t>(value) : 0;
  }
  // Past a string whose opening quote is at p_.
  void skip_string() {
    for (p_++; more() && s_[p_] != '"'; p_++)
      if (s_[p_] == '\\') p_++;
    if (!more()) {
      p_ = s_.size();
      return fail("a string without an end");
    }
    p_++;
  }
  std::string_view quoted() {
    if (!at("\"")) return fail("expected a string"), std::string_view();
    size_t begin = p_ + 1;
    skip_string();
    return ok() ? s_.substr(begin, p_ - 1 - begin) : std::string_view();
  }
  // Text up to one of `stop` outside brackets and strings, without trailing space.
  std::string_view raw(std::string_view stop) {
    space();
    size_t begin = p_;
    int depth = 0;
    while (more()) {
      char c = s_[p_];
      if (c == '"') {
        skip_string();
        continue;
      }
      if (depth == 0 && stop.find(c) != stop.npos) break;
      if (s_.substr(p_, 2) == "->") {
        p_ += 2;
        continue;
      }
      if (c == '<' || c == '(' || c == '[' || c == '{') depth++;
      if (c == '>' || c == ')' || c == ']' || c == '}') depth--;
      if (depth < 0) {
        fail("a bracket too many");
        break;
      }
      p_++;
    }
    return ok() ? strip(s_.substr(begin, p_ - begin)) : std::string_view();
  }

  uint32_t type(std::string_view text) {
    if (!ok()) return no_type();
    if (auto known = type_ids_.find(text); known != type_ids_.end()) return known->second;
    auto parsed = parse_type(text);
    if (!parsed) {
      fail("a damaged type, or a shape beyond the limits");
      return no_type();
    }
    if (module_.types.size() >= limits_.types) {
      fail("too many types");
      return no_type();
    }
    module_.types.push_back(std::move(*parsed));
    uint32_t id = static_cast<uint32_t>(module_.types.size() - 1);
    type_ids_[text] = id;
    return id;
  }
  // Index 0 must exist for values defined after a failure.
  uint32_t no_type() {
    if (module_.types.empty()) module_.types.emplace_back();
    return 0;
  }
  ValueId define(std::string_view name, uint32_t type_id) {
    if (module_.value_types.size() >= limits_.values) fail("too many values");
    ValueId id = static_cast<ValueId>(module_.value_types.size());
    module_.value_types.push_back(type_id);
    scopes_.back()[name] = {id, 1};
    return id;
  }
  ValueId use() {
    need("%");
    std::string_view name = word();
    uint32_t which = more() && s_[p_] == '#' ? (p_++, number(4096)) : 0;
    for (size_t k = scopes_.size(); ok() && k-- > 0;) {
      auto found = scopes_[k].find(name);
      if (found == scopes_[k].end()) continue;
      if (which < found->second.count) return found->second.first + which;
      break;
    }
    fail("unknown value %" + std::string(name.substr(0, 60)));
    return 0;
  }

  void dictionary(Op& o) {
    while (more() && !eat("}")) {
      std::string_view key = at("\"") ? quoted() : word();
      o.attributes.push_back({key, eat("=") ? raw(",}") : std::string_view("true")});
      if (!eat(",") && !at("}")) fail("expected ',' or '}'");
    }
  }
  std::vector<uint32_t> result_types() {
    std::vector<uint32_t> list;
    if (!eat("(")) {
      list.push_back(type(raw(",) \n")));
      return list;
    }
    while (more() && !eat(")")) {
      list.push_back(type(raw(",)")));
      if (!eat(",") && !at(")")) fail("expected ',' or ')'");
    }
    return list;
  }
  std::string_view location() {
    if (!eat("loc(")) return {};
    std::string_view text = raw(")");
    need(")");
    return text;
  }
  void aliases() {
    while (at("#")) {
      size_t begin = p_++;
      word();
      std::string_view name = ok() ? s_.substr(begin, p_ - begin) : std::string_view();
      need("=");
      std::string_view text = raw("\n");
      if (ok() && name.starts_with("#loc")) module_.locations.add(name, text);
    }
  }

  Region region(int depth) {
    Region r;
    need("{");
    scopes_.emplace_back();
    if (depth > limits_.region_depth) fail("regions too deep");
    while (ok() && !eat("}")) {
      if (!more())
        fail("a region without an end");
      else if (eat("^"))
        block_head(r.blocks.emplace_back());
      else {
        if (r.blocks.empty()) r.blocks.emplace_back();
        r.blocks.back().ops.push_back(op(depth));
      }
    }
    scopes_.pop_back();
    return r;
  }
  void block_head(Block& b) {
    b.name = word();
    if (eat("(")) {
      while (more() && !eat(")")) {
        need("%");
        std::string_view name = word();
        need(":");
        b.arguments.push_back(define(name, type(raw(",) "))));
        location();
        if (!eat(",") && !at(")")) fail("expected ',' or ')'");
      }
    }
    need(":");
  }

  void operands_of(Op& o) {
    need("(");
    while (more() && !eat(")")) {
      o.operands.push_back(use());
      if (!eat(",") && !at(")")) fail("expected ',' or ')'");
    }
    if (!eat("[")) return;
    while (more() && !eat("]")) {
      need("^");
      o.successors.push_back(word());
      if (!eat(",") && !at("]")) fail("expected ',' or ']'");
    }
  }
  void regions_of(Op& o, int depth) {
    if (!at("({")) return;
    need("(");
    while (more() && !eat(")")) {
      o.regions.push_back(region(depth + 1));
      if (!eat(",") && !at(")")) fail("expected ',' or ')'");
    }
  }
  Op op(int depth) {
    Op o;
    if (++ops_ > limits_.ops) fail("too many operations");
    std::vector<std::pair<std::string_view, uint32_t>> names;
    while (eat("%")) {
      std::string_view name = word();
      names.push_back({name, eat(":") ? number(4096) : 1});
      if (!eat(",")) break;
    }
    if (!names.empty()) need("=");
    o.name = quoted();
    operands_of(o);
    if (eat("<{")) {
      dictionary(o);
      need(">");
    }
    regions_of(o, depth);
    if (eat("{")) dictionary(o);
    need(":");
    if (!at("(")) fail("expected '('");
    raw(" ");
    need("->");
    define_results(o, names, result_types());
    o.loc = location();
    modernise(o);
    return o;
  }
  void define_results(Op& o, const std::vector<std::pair<std::string_view, uint32_t>>& names,
                      const std::vector<uint32_t>& types) {
    size_t named = 0;
    for (const auto& n : names) named += n.second;
    if (ok() && named != (names.empty() ? named : types.size())) fail("the number of results differs from their types");
    size_t k = 0;
    for (const auto& [name, count] : names) {
      if (!ok()) return;
      Definition d{static_cast<ValueId>(module_.value_types.size()), count};
      for (uint32_t j = 0; j < count && ok(); j++) o.results.push_back(define(name, types[k++]));
      scopes_.back()[name] = d;
    }
  }

  ReaderLimits limits_;
  Module module_;
  std::string_view s_;
  size_t p_ = 0, ops_ = 0, line_ = 0;
  std::string why_;
  std::vector<std::unordered_map<std::string_view, Definition>> scopes_;
  std::unordered_map<std::string_view, uint32_t> type_ids_;
};

}  // namespace

Result<Module> read_module(std::string_view text, const ReaderLimits& limits) { return Reader(text, limits).read(); }

}  // namespace kbx::ir
