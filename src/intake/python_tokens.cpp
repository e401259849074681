// A tokenizer in the manner of CPython's: brackets swallow line ends, strings know their quotes, f-strings their
// braces.
#include "intake/python_tokens.h"

#include <algorithm>
#include <array>

namespace kbx::intake {
namespace {

using Words = std::array<std::string_view, 35>;
constexpr Words kKeywords = {"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
                             "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
                             "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
                             "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

bool is_name_byte(unsigned char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }

// Letters beyond ASCII are legal in names; these lead bytes hold the punctuation that language models leave in code
// (no-break space, typographic quotes, dashes, bullets, full-width signs, emoji), which is not.
bool is_foreign_letter(unsigned char c) {
  return c >= 0x80 && c != 0xC2 && c != 0xE2 && c != 0xE3 && c != 0xEF && c < 0xF0;
}

class Scanner {
 public:
  explicit Scanner(std::string_view code) : s_(code) {}

  PythonTokens run() {
    while (at_ < s_.size()) step();
    if (depth() > 0) fail_at(open_line_, "a bracket is never closed"), out_.open_at_end = true;
    finish_line(s_.size());
    return std::move(out_);
  }

 private:
  int depth() const { return int(open_.size()); }

  void fail_at(int line, std::string why) {
    if (!out_.problem.empty()) return;
    out_.problem = std::move(why);
    out_.problem_line = line;
  }

  void step() {
    unsigned char c = s_[at_];
    if (at_ == line_begin_) measure_indent();
    if (at_ >= s_.size()) return;
    c = s_[at_];
    if (c == '\n' || c == '\r') return line_end();
    if (c == ' ' || c == '\t' || c == '\f') {
      at_++;
    } else if (c == '#') {
      at_ = std::min(s_.find_first_of("\r\n", at_), s_.size());
    } else if (c == '\\') {
      backslash();
    } else if (size_t prefix = string_prefix(); prefix != std::string_view::npos) {
      string(prefix);
    } else if (is_digit(c) || (c == '.' && at_ + 1 < s_.size() && is_digit(s_[at_ + 1]))) {
      number();
    } else if (is_name_byte(c) || is_foreign_letter(c)) {
      name();
    } else {
      op(c);
    }
  }

  void measure_indent() {
    int column = 0;
    while (at_ < s_.size() && (s_[at_] == ' ' || s_[at_] == '\t' || s_[at_] == '\f')) {
      column = s_[at_] == '\t' ? column / 8 * 8 + 8 : column + 1;
      at_++;
    }
    indent_ = column;
    line_begin_ = std::string_view::npos;
    if (depth() > 0 && column == 0 && starts_statement()) {
      // A definition at the left edge inside a bracket: the bracket was forgotten. Go on behind it.
      fail_at(open_line_, "a bracket is never closed");
      open_.clear();
      finish_line(at_);
    }
  }

  bool starts_statement() const {
    auto rest = s_.substr(at_);
    for (std::string_view word : {"def ", "class ", "import ", "@triton"})
      if (rest.substr(0, word.size()) == word) return true;
    return false;
  }

  void line_end() {
    at_ += s_[at_] == '\r' && at_ + 1 < s_.size() && s_[at_ + 1] == '\n' ? 2 : 1;
    line_++;
    line_begin_ = at_;
    if (depth() == 0) finish_line(at_);
  }

  void finish_line(size_t end) {
    if (!in_line_) return;
    auto& line = out_.lines.back();
    line.last = out_.tokens.size();
    line.end = end;
    in_line_ = false;
  }

  void push(TokenKind kind, size_t begin, size_t end, int depth) {
    if (!in_line_) {
      size_t start = begin;
      while (start > 0 && s_[start - 1] != '\n' && s_[start - 1] != '\r') start--;
      out_.lines.push_back({token_line_, indent_, out_.tokens.size(), 0, start, 0});
      in_line_ = true;
    }
    out_.tokens.push_back({kind, s_.substr(begin, end - begin), depth});
  }
  void push(TokenKind kind, size_t begin, size_t end) { token_line_ = line_, push(kind, begin, end, depth()); }

  void backslash() {
    size_t end = at_ + 1;
    if (end < s_.size() && s_[end] == '\r') end++;
    if (end < s_.size() && s_[end] == '\n') end++;
    if (end == at_ + 1) {
      if (end == s_.size()) out_.open_at_end = true;
      fail_at(line_, "a backslash that continues nothing");
      at_++;
      return;
    }
    line_++;
    at_ = end;
    if (at_ == s_.size()) out_.open_at_end = true, fail_at(line_, "the text ends behind a backslash");
  }

  // Length of a string's prefix letters if a string begins here.
  size_t string_prefix() const {
    size_t n = 0;
    while (n < 2 && at_ + n < s_.size() && std::string_view("rRbBuUfFtT").find(s_[at_ + n]) != std::string_view::npos)
      n++;
    bool quote = at_ + n < s_.size() && (s_[at_ + n] == '"' || s_[at_ + n] == '\'');
    return quote ? n : std::string_view::npos;
  }

  void string(size_t prefix) {
    size_t begin = at_;
    auto letters = s_.substr(at_, prefix);
    bool braces = letters.find_first_of("fFtT") != letters.npos;
    char quote = s_[at_ + prefix];
    bool triple = s_.substr(at_ + prefix, 3) == std::string(3, quote);
    token_line_ = line_;
    int first_line = line_;
    at_ += prefix + (triple ? 3 : 1);
    bool closed = triple ? skip_triple(quote) : skip_single(quote, braces);
    if (!closed) {
      bool at_end = at_ >= s_.size();
      out_.open_at_end |= at_end;
      out_.in_triple_string = triple;
      fail_at(first_line, triple ? "a triple-quoted string is never closed" : "a string is not closed on its line");
    }
    push(TokenKind::string, begin, at_, depth());
  }

  bool skip_triple(char quote) {
    while (at_ < s_.size()) {
      char c = s_[at_];
      if (c == '\\') {
        if (at_ + 1 < s_.size() && s_[at_ + 1] == '\n') line_++;
        at_ = std::min(at_ + 2, s_.size());
        continue;
      }
      if (c == '\n') line_++;
      if (c == quote && s_.substr(at_, 3) == std::string(3, quote)) return at_ += 3, true;
      at_++;
    }
    return false;
  }

  bool skip_single(char quote, bool braces) {
    int inside = 0;  // replacement fields of an f-string may hold the same quotes (since Python 3.12)
    while (at_ < s_.size()) {
      char c = s_[at_];
      if (c == '\\') {
        if (at_ + 1 < s_.size() && s_[at_ + 1] == '\n') line_++;
        at_ = std::min(at_ + 2, s_.size());
        continue;
      }
      if (c == '\n' || c == '\r') return false;
      if (braces && c == '{') inside = s_.substr(at_, 2) == "{{" && inside == 0 ? (at_++, 0) : inside + 1;
      if (braces && c == '}' && inside > 0) inside--;
      at_++;
      if (c != quote) continue;
      auto ahead = s_.substr(at_, kMostFieldLength);
      size_t close = ahead.find_first_of("}\r\n");
      bool nested =
          inside > 0 && close != s_.npos && ahead[close] == '}' && ahead.substr(0, close).find(quote) != s_.npos;
      if (!nested) return true;
      at_ = s_.find(quote, at_) + 1;  // the inner string
    }
    return false;
  }

  void number() {
    size_t begin = at_;
    while (at_ < s_.size()) {
      unsigned char c = s_[at_];
      bool sign = (c == '+' || c == '-') && at_ > begin && (s_[at_ - 1] == 'e' || s_[at_ - 1] == 'E') &&
                  s_.substr(begin, 2) != "0x" && s_.substr(begin, 2) != "0X";
      if (!is_name_byte(c) && c != '.' && !sign) break;
      at_++;
    }
    push(TokenKind::number, begin, at_);
  }

  void name() {
    size_t begin = at_;
    while (at_ < s_.size()) {
      unsigned char c = s_[at_];
      if (!is_name_byte(c) && !is_foreign_letter(c)) break;
      at_++;
    }
    auto text = s_.substr(begin, at_ - begin);
    push(is_keyword(text) ? TokenKind::keyword : TokenKind::name, begin, at_);
  }

  void op(unsigned char c) {
    size_t begin = at_;
    if (c == '(' || c == '[' || c == '{') {
      push(TokenKind::op, begin, ++at_);
      if (open_.empty()) open_line_ = line_;
      open_.push_back(char(c));
      return;
    }
    if (c == ')' || c == ']' || c == '}') {
      char want = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (open_.empty() || open_.back() != want) fail_at(line_, "a closing bracket without its opening one");
      if (!open_.empty()) open_.pop_back();
      push(TokenKind::op, begin, ++at_);
      return;
    }
    for (std::string_view known : {"...", "**=", "//=", ">>=", "<<=", "->", ":=", "==", "!=", "<=", ">=", "+=",
                                   "-=",  "*=",  "/=",  "%=",  "&=",  "|=", "^=", "@=", "**", "//", "<<", ">>"}) {
      if (s_.substr(at_, known.size()) != known) continue;
      at_ += known.size();
      return push(TokenKind::op, begin, at_);
    }
    at_++;
    if (std::string_view("+-*/%@&|^~<>=.,:;").find(char(c)) != std::string_view::npos)
      return push(TokenKind::op, begin, at_);
    while (at_ < s_.size() && (static_cast<unsigned char>(s_[at_]) & 0xC0) == 0x80) at_++;
    fail_at(line_, "a character that Python does not know: " + std::string(s_.substr(begin, at_ - begin)));
    push(TokenKind::bad, begin, at_);
  }

  static constexpr size_t kMostFieldLength = 256;  // of an f-string's field with quotes: bounds the look-ahead

  std::string_view s_;
  PythonTokens out_;
  std::string open_;  // the open brackets
  int open_line_ = 0;
  size_t at_ = 0;
  size_t line_begin_ = 0;  // npos once the indentation of this line was measured
  int line_ = 1, token_line_ = 1, indent_ = 0;
  bool in_line_ = false;
};

}  // namespace

bool is_keyword(std::string_view word) {
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

bool joins_operands(std::string_view word) {
  for (std::string_view w : {"and", "as", "else", "for", "from", "if", "import", "in", "is", "not", "or", "async"})
    if (w == word) return true;
  return false;
}

PythonTokens tokenize(std::string_view code) { return Scanner(code).run(); }

}  // namespace kbx::intake
