// Answer: what a reply is to a loop: code, words, or nothing of use and why.
#pragma once
#include <string>

#include "agent/method.h"

namespace kbx::agent {

struct CodeAnswer {
  std::string code, how, strategy;
  bool cut = false;       // the reply, or the code in it, has no end
  std::string problem;    // why there is no code, one sentence for the model; "" = there is
  bool again = false;     // the same question may do better: a reply came, but of no use
  bool none_more = false; // no further call can do better: key, balance, budget
};
CodeAnswer read_code(const ChatResult& result, const Method& method, const intake::Target& target);

struct TextAnswer {
  std::string text;
  std::string problem;
  bool none_more = false;
};
TextAnswer read_words(const ChatResult& result);

// "cut": what a model is told of its last reply; "" when it was whole.
std::string cut_note(bool cut);

}  // namespace kbx::agent
