// normal_form(): see the header.
#include "lint/normal_form.h"

#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "lint/scopes.h"

namespace kbx::lint {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

class Writer {
 public:
  Writer(const Source& source, std::string_view entry) : source_(source), scopes_(source), entry_(entry) { find_parameters(); }

  std::string write() {
    struct Open {
      NodeId id;
      uint32_t at;  // bytes before here are written
    };
    std::vector<Open> open;
    auto close = [&] {
      const Node& n = source_.at(open.back().id);
      gap(open.back().at, n.end_byte);
      out_ += ')';
      open.pop_back();
    };
    for (NodeId id = 0; id < source_.size();) {
      const Node& n = source_.at(id);
      while (!open.empty() && id >= source_.at(open.back().id).end) close();
      if (!open.empty()) {
        gap(open.back().at, n.begin_byte);
        open.back().at = n.end_byte;
      }
      if (passed_over(id)) {
        id = n.end;
      } else if (source_.kind(id) == "parenthesized_expression") {
        if (!open.empty()) open.back().at = n.begin_byte;  // its parts take its place
        id++;
      } else if (is_leaf(id)) {
        leaf(id);
        id = n.end;
      } else {
        out_ += '(';
        out_ += n.kind;
        out_ += ' ';
        open.push_back({id, n.begin_byte});
        id++;
      }
    }
    while (!open.empty()) close();
    return std::move(out_);
  }

 private:
  // Parameters are told apart by their text alone, so that keywords of calls follow them.
  void find_parameters() {
    is_parameter_.assign(scopes_.symbols().size(), false);
    for (SymbolId s = 0; s < scopes_.symbols().size(); s++)
      for (const Binding& b : scopes_.symbols()[s].bindings) {
        NodeId list = b.at;
        for (int i = 0; i < 4 && list != kNoNode && source_.kind(list) != "parameters" && source_.kind(list) != "lambda_parameters"; i++) list = source_.parent(list);
        if (list == kNoNode || source_.at(list).field != "parameters") continue;
        NodeId function = source_.parent(list), name = function == kNoNode ? kNoNode : source_.child(function, "name");
        bool kept = (name != kNoNode && source_.text(name) == entry_) || in_class(function);
        (kept ? kept_ : renamed_).emplace(source_.text(b.at), 0);
        is_parameter_[s] = true;
      }
    for (const auto& [name, none] : kept_) renamed_.erase(name);
  }

  bool in_class(NodeId id) const {
    NodeId block = id == kNoNode ? kNoNode : source_.parent(id);
    if (block != kNoNode && source_.kind(block) == "decorated_definition") block = source_.parent(block);
    NodeId owner = block == kNoNode ? kNoNode : source_.parent(block);
    return owner != kNoNode && source_.kind(owner) == "class_definition";
  }

  bool passed_over(NodeId id) const {
    if (scopes_.dead(id)) return true;
    if (source_.kind(id) == "if_statement") {  // nothing but dead code
      NodeId body = source_.child(id, "consequence");
      return body != kNoNode && scopes_.dead(body) && source_.child(id, "alternative") == kNoNode;
    }
    if (source_.kind(id) != "expression_statement") return false;
    NodeId only = source_.first(id);  // a text that nobody reads is a comment
    return only != kNoNode && source_.at(only).end == source_.at(id).end && source_.kind(only) == "string" && plain(only);
  }

  bool plain(NodeId string) const {
    for (NodeId c = source_.first(string); c != kNoNode; c = source_.next(c))
      if (source_.kind(c) == "interpolation") return false;
    return true;
  }

  bool is_leaf(NodeId id) const { return source_.first(id) == kNoNode || source_.kind(id) == "string_content" || (source_.kind(id) == "string" && plain(id)); }

  void leaf(NodeId id) {
    std::string_view kind = source_.kind(id);
    if (kind == "identifier") word(name_of(id));
    else if (kind == "string") string(id);
    else if (kind == "string_start") word(prefix(source_.text(id)));
    else if (kind != "string_end") word(source_.text(id));
  }

  // The letters before the quotes; u means nothing.
  static std::string prefix(std::string_view start) {
    std::string out;
    for (char c : start)
      if (c != '"' && c != '\'' && c != 'u' && c != 'U') out += c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return out;
  }

  // A text that is a parameter's name, as in autotune's keys, follows the parameter.
  void string(NodeId id) {
    std::string content, before;
    for (NodeId c = source_.first(id); c != kNoNode; c = source_.next(c)) {
      if (source_.kind(c) == "string_content") content += source_.text(c);
      if (source_.kind(c) == "string_start") before = prefix(source_.text(c));
    }
    auto renamed = renamed_.find(content);
    word("'" + before + "'" + (before.empty() && renamed != renamed_.end() ? numbered('P', renamed->second, parameters_) : std::to_string(content.size()) + ":" + content));
  }

  std::string name_of(NodeId id) {
    std::string text(source_.text(id));
    NodeId parent = source_.parent(id);
    std::string_view kind = parent == kNoNode ? "" : source_.kind(parent), field = source_.at(id).field;
    if (kind == "attribute" && field == "attribute") return text;
    if (kind == "dotted_name" || kind == "aliased_import") return text;
    if (kind == "keyword_argument" && field == "name") return parameter(text);
    SymbolId symbol = scopes_.lookup(id, text);
    if (symbol == kNoSymbol) return text;
    if (is_parameter_[symbol]) return parameter(text);
    const Symbol& s = scopes_.symbols()[symbol];
    if (s.scope == 0 && text == entry_) return text;
    for (const Binding& b : s.bindings)
      if (b.kind == Binding::module || bound_in_class(b.at)) return text;
    return numbered('L', locals_[symbol], local_count_);
  }

  // Bound in a class's body, where others reach it as an attribute.
  bool bound_in_class(NodeId at) const {
    for (NodeId up = source_.parent(at); up != kNoNode; up = source_.parent(up)) {
      std::string_view kind = source_.kind(up);
      if (kind == "function_definition" && source_.at(at).field == "name" && up == source_.parent(at)) continue;
      if (kind == "function_definition" || kind == "lambda") return false;
      if (kind == "class_definition") return up != source_.parent(at);
    }
    return false;
  }

  std::string parameter(const std::string& text) {
    auto renamed = renamed_.find(text);
    return renamed == renamed_.end() ? text : numbered('P', renamed->second, parameters_);
  }

  // In the order of their first appearance, from 1. A NUL keeps them apart from every name.
  static std::string numbered(char letter, size_t& number, size_t& count) {
    if (number == 0) number = ++count;
    return std::string(1, '\0') + letter + std::to_string(number);
  }

  void word(std::string_view text) {
    out_ += text;
    out_ += ' ';
  }

  // What stands between nodes: keywords and the colons of slices; blanks, comments and what the tree says anyway go.
  void gap(uint32_t from, uint32_t to) {
    std::string_view text = source_.text();
    bool was_word = false;
    for (uint32_t i = from; i < to && i < text.size(); i++) {
      char c = text[i];
      if (c == '#') {
        while (i + 1 < to && text[i + 1] != '\n') i++;
        continue;
      }
      bool dropped = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\\' || c == '(' || c == ')' || c == ',' || c == ';';
      if (was_word && !is_word(c)) out_ += ' ';
      was_word = !dropped && is_word(c);
      if (!dropped) out_ += c;
    }
    if (was_word) out_ += ' ';
  }

  const Source& source_;
  Scopes scopes_;
  std::string_view entry_;
  std::vector<bool> is_parameter_;                          // by symbol
  std::unordered_map<std::string, size_t> renamed_, kept_;  // parameters' names -> number, 0 = not seen yet
  std::unordered_map<SymbolId, size_t> locals_;
  size_t parameters_ = 0, local_count_ = 0;
  std::string out_;
};

}  // namespace

std::string normal_form(std::string_view source, std::string_view entry) {
  Source parsed{std::string(source)};
  if (!parsed.readable() || parsed.has_errors()) return trim(source);
  return Writer(parsed, entry).write();
}

std::string normal_hash(std::string_view source, std::string_view entry) { return sha256_hex(normal_form(source, entry)); }

}  // namespace kbx::lint
