// PythonShape: whether a text has the shape of Python (tokens, brackets, strings, indentation, no two operands side by
// side), and which names it defines and needs. Not a parser: what it refuses is not Python; a rare syntax error passes.
// Prose is refused. Used to choose among the pieces of a reply; the verdict syntax_error is the linter's.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace kbx::intake {

struct Definition {
  std::string name;
  bool is_function = false;  // def or class; otherwise a constant or an import
  bool is_import = false;
  bool is_kernel = false;     // decorated with @triton.jit (or jit imported from triton)
  size_t begin = 0, end = 0;  // bytes of its logical line (imports: the statement)
};

struct PythonShape {
  bool valid = false;       // has the shape of Python
  bool cut = false;         // not valid because the text ends too early
  bool has_code = false;    // at least one import, def, class or decorator
  bool has_kernel = false;  // a @triton.jit function at any depth
  std::string problem;      // why it is not valid
  int problem_line = 0;
  std::vector<Definition> definitions;  // bound at the top level, in order
  std::vector<std::string> free_names;  // used but bound nowhere in the text, sorted

  bool defines(std::string_view name) const;            // a def or class of that name, or `name = ...` at the top level
  const Definition* find(std::string_view name) const;  // the last one; null when absent
};

PythonShape shape_of(std::string_view code);

}  // namespace kbx::intake
