// normal_form(): a program's syntax tree as text, without what does not change what it does: formatting, comments,
// docstrings, redundant parentheses, quotes, the names of locals, of helpers and of their parameters, code under the
// main guard. Two texts with one normal form are one program for a training set.
#pragma once
#include <string>
#include <string_view>

namespace kbx::lint {

// `entry`: the function that is called from outside; its name and its parameters' names count. What tree-sitter cannot
// read as Python is its own normal form, trailing blanks aside: nothing is known of its structure. Linear in the text
// (names resolve as in lint/scopes.h), deterministic, equal on every machine.
std::string normal_form(std::string_view source, std::string_view entry);

// SHA-256 of it.
std::string normal_hash(std::string_view source, std::string_view entry);

}  // namespace kbx::lint
