// PythonTokens: Python source cut into tokens and logical lines, without a grammar. Made for text of which it is not
// yet known whether it is Python: it never fails, it says where the text stops being possible and goes on as well as it
// can. Linear in the text; the tokens point into the text, which must outlive them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace kbx::intake {

enum class TokenKind : unsigned char { name, keyword, number, string, op, bad };

struct Token {
  TokenKind kind = TokenKind::op;
  std::string_view text;
  int depth = 0;  // open brackets around it; a closing bracket has the depth of its opening one
};

struct LogicalLine {
  int number = 0;              // 1-based physical line of its first token
  int indent = 0;              // columns, tab stops of 8
  size_t first = 0, last = 0;  // tokens [first, last)
  size_t begin = 0, end = 0;   // bytes [begin, end) of the physical lines, line end included
};

struct PythonTokens {
  std::vector<Token> tokens;
  std::vector<LogicalLine> lines;  // those with at least one token
  std::string problem;             // the first reason why this is not Python; empty = none seen
  int problem_line = 0;            // 1-based
  bool open_at_end = false;        // the text ends inside a bracket, a string or after a backslash
  bool in_triple_string = false;   // ... inside a triple-quoted string
};

PythonTokens tokenize(std::string_view code);
bool is_keyword(std::string_view word);
// Words that may stand directly behind an operand ("if", "else", "for", "in", "is", "and", "or", "not", "as", ...).
bool joins_operands(std::string_view word);

}  // namespace kbx::intake
