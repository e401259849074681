// What counts as the same program for a data set, and what does not.
#include "lint/normal_form.h"

#include <gtest/gtest.h>

namespace kbx::lint {
namespace {

const std::string kProgram = R"(import torch
import triton
import triton.language as tl

@triton.autotune(configs=[triton.Config({'BLOCK': 128}, num_warps=4)], key=['n'])
@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    """Doubles."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x_ptr + i, mask=i < n)  # masked
    tl.store(x_ptr + i, v * 2, mask=i < n)

def relu(input, inplace=False):
    out = input if inplace else input.clone()
    kernel[lambda meta: (triton.cdiv(out.numel(), meta['BLOCK']),)](out, out.numel())
    return out
)";

bool same(const std::string& a, const std::string& b) { return normal_hash(a, "relu") == normal_hash(b, "relu"); }

std::string with(std::string text, const std::string& from, const std::string& to) {
  size_t at = 0, count = 0;
  for (; (at = text.find(from, at)) != std::string::npos; at += to.size(), count++) text.replace(at, from.size(), to);
  EXPECT_GT(count, 0u) << from;
  return text;
}

TEST(NormalForm, formatting_comments_docstrings_and_quotes_do_not_count) {
  EXPECT_TRUE(same(kProgram, with(kProgram, "  # masked", "")));
  EXPECT_TRUE(same(kProgram, with(kProgram, "    \"\"\"Doubles.\"\"\"\n", "")));
  EXPECT_TRUE(same(kProgram, with(kProgram, "'", "\"")));
  EXPECT_TRUE(same(kProgram, with(kProgram, "tl.load(x_ptr + i, mask=i < n)", "tl.load(\n        x_ptr  +  i,\n        mask = (i < n),\n    )")));
  EXPECT_TRUE(same(kProgram, with(kProgram, "    ", "\t")));
  EXPECT_TRUE(same(kProgram, kProgram + "\nif __name__ == '__main__':\n    print(relu(1))\n"));
}

TEST(NormalForm, names_of_locals_helpers_and_their_parameters_do_not_count) {
  EXPECT_TRUE(same(kProgram, with(kProgram, "v ", "value ")));
  EXPECT_TRUE(same(kProgram, with(kProgram, "kernel", "_double_kernel")));
  EXPECT_TRUE(same(kProgram, with(kProgram, "x_ptr", "p")));
  EXPECT_TRUE(same(kProgram, with(kProgram, "BLOCK", "BLOCK_SIZE")));  // in autotune's text and the grid, too
  EXPECT_TRUE(same(kProgram, with(kProgram, "out", "result")));
  EXPECT_TRUE(same(kProgram, with(kProgram, "meta", "m")));
}

TEST(NormalForm, what_changes_the_program_counts) {
  EXPECT_FALSE(same(kProgram, with(kProgram, "v * 2", "v + 2")));
  EXPECT_FALSE(same(kProgram, with(kProgram, "v * 2", "v * 3")));
  EXPECT_FALSE(same(kProgram, with(kProgram, "v * 2", "2 * v")));
  EXPECT_FALSE(same(kProgram, with(kProgram, "'BLOCK': 128", "'BLOCK': 256")));
  EXPECT_FALSE(same(kProgram, with(kProgram, "num_warps", "num_stages")));
  EXPECT_FALSE(same(kProgram, with(kProgram, "x_ptr + i, mask=i < n)  #", "x_ptr + i)  #")));
  EXPECT_FALSE(same(kProgram, with(kProgram, "inplace", "in_place")));  // the entry is called by keyword
  EXPECT_FALSE(same(kProgram, with(kProgram, "clone", "contiguous")));
  EXPECT_FALSE(same(kProgram, with(kProgram, ": tl.constexpr", "")));
}

TEST(NormalForm, two_names_that_swap_are_two_programs) {
  EXPECT_TRUE(same("def relu(x):\n  a = x\n  b = 2\n  return a - b\n", "def relu(x):\n  b = x\n  a = 2\n  return b - a\n"));
  EXPECT_FALSE(same("def relu(x):\n  a = x\n  b = 2\n  return a - b\n", "def relu(x):\n  a = x\n  b = 2\n  return b - a\n"));
}

TEST(NormalForm, tokens_that_are_no_nodes_count) {
  EXPECT_FALSE(same("def relu(x):\n  return x[1:]\n", "def relu(x):\n  return x[:1]\n"));
  EXPECT_FALSE(same("def relu(x):\n  return -x\n", "def relu(x):\n  return ~x\n"));
  EXPECT_FALSE(same("def relu(x):\n  x += 1\n", "def relu(x):\n  x -= 1\n"));
  EXPECT_FALSE(same("def relu(x):\n  return x is None\n", "def relu(x):\n  return x is not None\n"));
  EXPECT_FALSE(same("def relu(x):\n  return (x,)\n", "def relu(x):\n  return (x)\n"));
  EXPECT_FALSE(same("def relu(x):\n  return (x + 1) * 2\n", "def relu(x):\n  return x + 1 * 2\n"));
  EXPECT_FALSE(same("def relu(x):\n  return f'{x}'\n", "def relu(x):\n  return 'x'\n"));
  EXPECT_FALSE(same("async def relu(x):\n  pass\n", "def relu(x):\n  pass\n"));
}

TEST(NormalForm, a_methods_name_is_reached_as_an_attribute) {
  const std::string text = "class M:\n  def forward(self, x):\n    y = x\n    return y\ndef relu(x):\n  return M().forward(x)\n";
  EXPECT_FALSE(same(text, with(text, "def forward", "def backward")));
  EXPECT_TRUE(same(text, with(text, "y", "z")));
  EXPECT_TRUE(same(text, with(text, "M", "N")));
}

TEST(NormalForm, text_that_is_no_python_is_itself) {
  EXPECT_TRUE(same("I am sorry.\n\n", "I am sorry."));
  EXPECT_FALSE(same("I am sorry.", "I am very sorry."));
  EXPECT_FALSE(same("", "x = 1"));
}

}  // namespace
}  // namespace kbx::lint
