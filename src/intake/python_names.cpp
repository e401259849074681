// Names by local rules on tokens; no scopes, no grammar.
#include "intake/python_names.h"

#include <algorithm>
#include <set>
#include <string>

namespace kbx::intake {
namespace {

bool is(const Token& t, std::string_view text) { return t.kind != TokenKind::string && t.text == text; }

class Collector {
 public:
  Collector(const PythonTokens& t, PythonShape& out) : t_(t), out_(out) {}

  void run() {
    bool jit = false;
    for (const auto& line : t_.lines) {
      const Token& first = at(line.first);
      if (is(first, "@")) {
        jit |= is_jit(line);
        uses(line, line.first);
        continue;
      }
      if (is(first, "import") || is(first, "from"))
        imports(line);
      else if (is(first, "def") || is(first, "class") || is(first, "async"))
        definition(line, jit);
      else
        plain(line);
      jit = false;
    }
    for (const auto& name : used_)
      if (!bound_.count(name)) out_.free_names.push_back(name);
  }

 private:
  const Token& at(size_t i) const { return t_.tokens[i]; }
  bool name_at(size_t i, const LogicalLine& line) const { return i < line.last && at(i).kind == TokenKind::name; }

  bool is_jit(const LogicalLine& line) const {
    for (size_t i = line.first + 1; i < line.last; i++)
      if (is(at(i), "jit")) return i == line.first + 1 || (is(at(i - 1), ".") && is(at(i - 2), "triton"));
    return false;
  }

  void define(const LogicalLine& line, const Token& name, bool function, bool import, bool kernel) {
    bound_.insert(std::string(name.text));
    if (line.indent == t_.lines.front().indent)
      out_.definitions.push_back({std::string(name.text), function, import, kernel, line.begin, line.end});
  }

  void imports(const LogicalLine& line) {
    bool from = is(at(line.first), "from");
    size_t i = line.first + 1;
    while (from && i < line.last && !is(at(i), "import")) i++;
    for (i += from; i < line.last; i++) {
      if (!name_at(i, line) || (i > 0 && is(at(i - 1), "."))) continue;
      // `import a.b as c` binds c, `import a.b` binds a.
      size_t tail = i;
      while (!from && tail + 2 < line.last && is(at(tail + 1), ".")) tail += 2;
      bool renamed = tail + 2 < line.last && is(at(tail + 1), "as");
      define(line, at(renamed ? tail + 2 : i), false, true, false);
      i = renamed ? tail + 2 : tail;
    }
  }

  void definition(const LogicalLine& line, bool jit) {
    size_t i = line.first;
    if (is(at(i), "async")) i++;
    if (i < line.last && !is(at(i), "def") && !is(at(i), "class")) return plain(line);
    bool is_def = i < line.last && is(at(i), "def");
    if (name_at(i + 1, line)) define(line, at(i + 1), true, false, jit && is_def);
    out_.has_kernel |= jit && is_def;
    for (size_t k = i + 2; is_def && k < line.last; k++) {
      bool opens = is(at(k - 1), "(") || is(at(k - 1), ",") || is(at(k - 1), "*") || is(at(k - 1), "**");
      if (at(k).depth == 1 && name_at(k, line) && opens) bound_.insert(std::string(at(k).text));
    }
    uses(line, i + 2);
  }

  void plain(const LogicalLine& line) {
    size_t equals = line.first;
    while (equals < line.last && !(at(equals).depth == 0 && assigns(at(equals)))) equals++;
    if (equals < line.last) targets(line, equals);
    for (size_t i = line.first; i < line.last; i++) {
      if (is(at(i), "for")) loop_targets(line, i + 1);
      if ((is(at(i), "as") || is(at(i), "global") || is(at(i), "nonlocal")) && name_at(i + 1, line)) bind(i + 1);
      if (is(at(i), ":=") && i > line.first && name_at(i - 1, line)) bind(i - 1);
      if (is(at(i), "lambda"))
        for (size_t k = i + 1; k < line.last && !is(at(k), ":"); k++)
          if (name_at(k, line)) bind(k);
    }
    uses(line, line.first);
  }

  static bool assigns(const Token& t) {
    return t.kind == TokenKind::op && (t.text == "=" || t.text == ":" ||
                                       (t.text.size() > 1 && t.text.back() == '=' && t.text != "==" && t.text != "!=" &&
                                        t.text != "<=" && t.text != ">="));
  }

  void targets(const LogicalLine& line, size_t equals) {
    if (at(line.first).kind == TokenKind::keyword) return;  // `if x:` assigns nothing
    for (size_t i = line.first; i < equals; i++) {
      bool plain_name = name_at(i, line) && at(i).depth <= 1 && !(i > line.first && is(at(i - 1), "."));
      bool applied = i + 1 < equals && (is(at(i + 1), ".") || is(at(i + 1), "[") || is(at(i + 1), "("));
      if (!plain_name || applied) continue;
      if (at(i).depth == 0 && is(at(equals), "="))
        define(line, at(i), false, false, false);
      else
        bind(i);
    }
  }

  void loop_targets(const LogicalLine& line, size_t i) {
    for (; i < line.last && !is(at(i), "in"); i++)
      if (name_at(i, line)) bind(i);
  }

  void bind(size_t i) { bound_.insert(std::string(at(i).text)); }

  void uses(const LogicalLine& line, size_t from) {
    for (size_t i = from; i < line.last; i++) {
      if (!name_at(i, line) || (i > 0 && is(at(i - 1), "."))) continue;
      bool keyword_argument = at(i).depth > 0 && i + 1 < line.last && is(at(i + 1), "=");
      if (!keyword_argument) used_.insert(std::string(at(i).text));
    }
  }

  const PythonTokens& t_;
  PythonShape& out_;
  std::set<std::string> bound_, used_;
};

}  // namespace

void collect_names(const PythonTokens& tokens, PythonShape& out) {
  if (!tokens.lines.empty()) Collector(tokens, out).run();
}

}  // namespace kbx::intake
