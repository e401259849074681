// The checks of PythonShape, one logical line at a time.
#include "intake/python_shape.h"

#include "intake/python_names.h"
#include "intake/python_tokens.h"

namespace kbx::intake {
namespace {

bool is(const Token& t, std::string_view text) { return t.kind != TokenKind::string && t.text == text; }

bool is_constant_keyword(std::string_view w) { return w == "None" || w == "True" || w == "False"; }

bool starts_operand(const Token& t) {
  return t.kind == TokenKind::name || t.kind == TokenKind::number || t.kind == TokenKind::string ||
         (t.kind == TokenKind::keyword && (is_constant_keyword(t.text) || t.text == "lambda"));
}
bool ends_operand(const Token& t) {
  if (t.kind == TokenKind::op) return t.text == ")" || t.text == "]" || t.text == "}" || t.text == "...";
  return t.kind == TokenKind::name || t.kind == TokenKind::number || t.kind == TokenKind::string ||
         (t.kind == TokenKind::keyword && is_constant_keyword(t.text));
}
bool is_header_word(std::string_view w) {
  for (std::string_view h :
       {"def", "class", "if", "elif", "else", "for", "while", "with", "try", "except", "finally", "async"})
    if (w == h) return true;
  return false;
}

class Checker {
 public:
  Checker(const PythonTokens& t, PythonShape& out) : t_(t), out_(out) {}

  void run() {
    if (!t_.problem.empty()) report(t_.problem_line, t_.problem, t_.open_at_end);
    for (size_t i = 0; i < t_.lines.size(); i++) {
      indentation(i);
      adjacency(t_.lines[i]);
      statement(t_.lines[i], i + 1 == t_.lines.size());
    }
    if (expects_block_) report(last_line(), "the text ends where a block should begin", true);
    if (after_decorator_) report(last_line(), "the text ends behind a decorator", true);
  }

 private:
  int last_line() const { return t_.lines.empty() ? 1 : t_.lines.back().number; }

  void report(int line, std::string why, bool cut) {
    if (!out_.problem.empty()) return;
    out_.problem = std::move(why);
    out_.problem_line = line;
    out_.cut = cut;
  }

  void indentation(size_t i) {
    int indent = t_.lines[i].indent;
    if (i == 0) indents_ = {indent};
    if (expects_block_) {
      if (indent <= indents_.back())
        report(t_.lines[i].number, "an indented block is missing", false);
      else
        indents_.push_back(indent);
    } else if (indent > indents_.back()) {
      report(t_.lines[i].number, "unexpected indentation", false);
      indents_.push_back(indent);
    }
    while (indents_.size() > 1 && indent < indents_.back()) indents_.pop_back();
    if (indent != indents_.back()) report(t_.lines[i].number, "indentation that matches no outer level", false);
  }

  void adjacency(const LogicalLine& line) {
    for (size_t i = line.first; i + 1 < line.last; i++) {
      const Token &a = t_.tokens[i], &b = t_.tokens[i + 1];
      bool soft = i == line.first && (is(a, "match") || is(a, "case") || is(a, "type"));
      soft |= is(a, "...") && is(t_.tokens[line.first], "from");  // from ...package import name
      if (soft || !ends_operand(a)) continue;
      bool strings = a.kind == TokenKind::string && b.kind == TokenKind::string;
      if ((starts_operand(b) && !strings) || is(b, "{"))
        report(line.number, "two expressions side by side: " + std::string(a.text) + " " + std::string(b.text), false);
      else if (b.kind == TokenKind::keyword && !joins_operands(b.text))
        report(line.number, "keyword in the middle of an expression: " + std::string(b.text), false);
    }
  }

  void statement(const LogicalLine& line, bool is_last) {
    const Token &first = t_.tokens[line.first], &last = t_.tokens[line.last - 1];
    bool decorator = is(first, "@");
    bool defines = is(first, "def") || is(first, "class") || is(first, "async");
    if (after_decorator_ && !decorator && !defines) report(line.number, "a decorator without a function", false);
    after_decorator_ = decorator;
    out_.has_code |= is_code_start(line);
    expects_block_ = false;

    bool header = first.kind == TokenKind::keyword && is_header_word(first.text);
    bool colon = has_colon(line);
    if (is(last, ":")) {
      bool soft = is(first, "match") || is(first, "case");
      if (!header && !soft) report(line.number, "a line that ends in a colon but begins no block", false);
      expects_block_ = true;
    } else if (header && !colon) {
      report(line.number, std::string(first.text) + " without its colon", is_last);
    }
    if ((is(first, "def") || is(first, "class")) && line.last - line.first < 3)
      report(line.number, "a definition without a name", is_last);
    if (is(first, "import") && line.last - line.first < 2) report(line.number, "import of nothing", is_last);
    if (is(first, "from")) from_line(line, is_last);
    if (dangling(line)) report(line.number, "an expression is not finished", is_last);
    if (bad_start(first)) report(line.number, "a line cannot begin with " + std::string(first.text), false);
  }

  // What prose does not begin with: an import, a decorator, `def name(`, `class Name:`.
  bool is_code_start(const LogicalLine& line) const {
    size_t i = line.first;
    if (is(t_.tokens[i], "async")) i++;
    if (i + 1 >= line.last) return false;
    const Token &first = t_.tokens[i], &second = t_.tokens[i + 1];
    if (is(first, "from") && (is(second, ".") || is(second, "..."))) return true;
    if (second.kind != TokenKind::name) return false;
    if (is(first, "@")) return true;
    if (is(first, "import")) return i + 2 == line.last || t_.tokens[i + 2].kind != TokenKind::name;
    if (is(first, "from")) {
      while (i < line.last && (is(t_.tokens[i], "from") || is(t_.tokens[i], ".") || is(t_.tokens[i], "...") ||
                               t_.tokens[i].kind == TokenKind::name))
        i++;
      return i < line.last && is(t_.tokens[i], "import");
    }
    if (i + 2 >= line.last) return false;
    const Token& third = t_.tokens[i + 2];
    return (is(first, "def") && is(third, "(")) || (is(first, "class") && (is(third, "(") || is(third, ":")));
  }

  bool has_colon(const LogicalLine& line) const {
    for (size_t i = line.first; i < line.last; i++)
      if (is(t_.tokens[i], ":") && t_.tokens[i].depth == 0) return true;
    return false;
  }

  void from_line(const LogicalLine& line, bool is_last) {
    for (size_t i = line.first; i < line.last; i++)
      if (is(t_.tokens[i], "import")) {
        if (i + 1 == line.last) report(line.number, "import of nothing", is_last);
        return;
      }
    report(line.number, "from without import", is_last);
  }

  bool dangling(const LogicalLine& line) const {
    const Token& last = t_.tokens[line.last - 1];
    if (last.kind == TokenKind::keyword) return joins_operands(last.text) || last.text == "lambda";
    if (last.kind != TokenKind::op || ends_operand(last)) return false;
    if (last.text == "*") return !is(t_.tokens[line.first], "from");
    return std::string_view(",:;([{").find(last.text) == std::string_view::npos;
  }

  static bool bad_start(const Token& t) {
    if (t.kind == TokenKind::keyword)
      for (std::string_view w : {"and", "or", "in", "is", "as"})
        if (t.text == w) return true;
    if (t.kind != TokenKind::op) return false;
    for (std::string_view ok : {"@", "(", "[", "{", "-", "+", "~", "...", "*"})
      if (t.text == ok) return false;
    return true;
  }

  const PythonTokens& t_;
  PythonShape& out_;
  std::vector<int> indents_ = {0};
  bool expects_block_ = false, after_decorator_ = false;
};

}  // namespace

bool PythonShape::defines(std::string_view name) const {
  const Definition* d = find(name);
  return d && !d->is_import;
}

const Definition* PythonShape::find(std::string_view name) const {
  for (auto it = definitions.rbegin(); it != definitions.rend(); ++it)
    if (it->name == name) return &*it;
  return nullptr;
}

PythonShape shape_of(std::string_view code) {
  PythonShape out;
  PythonTokens tokens = tokenize(code);
  Checker(tokens, out).run();
  out.valid = out.problem.empty() && !tokens.lines.empty();
  collect_names(tokens, out);
  return out;
}

}  // namespace kbx::intake
