// Patterns over tokens.
#include "agent/denylist.h"

#include <array>
#include <vector>

#include "base/text.h"
#include "intake/python_tokens.h"

namespace kbx::agent {
namespace {

// Tokens apart by spaces; "_" is any name, "conv*" any name that begins so.
struct Rule {
  std::string_view pattern, message;
};
constexpr std::string_view kModules = "torch.nn may not be used: the computing belongs into Triton kernels";
constexpr std::string_view kMatrix = "PyTorch's matrix products may not be used: write them with tl.dot";
constexpr std::string_view kSums = "einsum may not be used: write the contraction in Triton";
constexpr std::string_view kPointwise = "PyTorch's activations and poolings may not be used: write them in Triton";
constexpr std::string_view kFrames = "looking into frames or other modules' names is not allowed";
constexpr std::array kRules = {
    Rule{"import torch . nn", kModules},
    Rule{"from torch import nn", kModules},
    Rule{"from torch . nn", kModules},
    Rule{"torch . nn .", kModules},
    Rule{"F . _ (", kModules},
    Rule{"( nn . Module", kModules},
    Rule{". forward (", kModules},
    Rule{"torch . conv*", "PyTorch's convolutions may not be used: write them in Triton"},
    Rule{"torch . relu* (", kPointwise},
    Rule{"torch . sigmoid* (", kPointwise},
    Rule{"torch . tanh* (", kPointwise},
    Rule{"torch . softmax* (", kPointwise},
    Rule{"torch . gelu* (", kPointwise},
    Rule{"torch . mish* (", kPointwise},
    Rule{"torch . hardtanh* (", kPointwise},
    Rule{"torch . max_pool* (", kPointwise},
    Rule{"torch . avg_pool* (", kPointwise},
    Rule{"torch . ops . aten", "calls of torch.ops.aten are not allowed: the computing belongs into Triton kernels"},
    Rule{". matmul (", kMatrix},
    Rule{". mm (", kMatrix},
    Rule{". bmm (", kMatrix},
    Rule{". einsum (", kSums},
    Rule{"import inspect", kFrames},
    Rule{"inspect . stack (", kFrames},
    Rule{"inspect . currentframe (", kFrames},
    Rule{"inspect . getouterframes (", kFrames},
    Rule{"sys . _getframe (", kFrames},
    Rule{". f_locals", kFrames},
    Rule{". f_globals", kFrames},
    Rule{"globals (", kFrames},
    Rule{"locals (", kFrames},
};

bool matches(const intake::Token& token, std::string_view want) {
  bool name = token.kind == intake::TokenKind::name;
  if (want == "_") return name;
  if (want.size() > 1 && want.back() == '*') return name && starts_with(token.text, want.substr(0, want.size() - 1));
  return token.kind != intake::TokenKind::string && token.text == want;
}

bool found(const std::vector<intake::Token>& tokens, const std::vector<std::string>& want) {
  for (size_t at = 0; at + want.size() <= tokens.size(); at++) {
    size_t k = 0;
    while (k < want.size() && matches(tokens[at + k], want[k])) k++;
    if (k == want.size()) return true;
  }
  return false;
}

}  // namespace

std::string denied(std::string_view code) {
  intake::PythonTokens python = intake::tokenize(code);
  for (const Rule& rule : kRules)
    if (found(python.tokens, split(rule.pattern, ' '))) return std::string(rule.message);
  return "";
}

}  // namespace kbx::agent
