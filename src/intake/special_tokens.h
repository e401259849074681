// Tokens of chat templates that leaked into a reply: "<|im_end|>", "<|EOT|>", "</s>", ...
#pragma once
#include <string>
#include <string_view>

#include "intake/python_shape.h"

namespace kbx::intake {

struct CleanCode {
  std::string code;
  PythonShape shape;
  bool text_after_end = false;  // other text stood behind an end-of-turn token; it was dropped
};

// Code that is Python as it stands is left alone (the tokens are in its strings or comments). Otherwise the tokens are
// taken out wherever they stand: models go on behind them. Only if that is no Python either, but the text in front of
// the first token is, does the code end there.
CleanCode clean_special_tokens(std::string code);

}  // namespace kbx::intake
