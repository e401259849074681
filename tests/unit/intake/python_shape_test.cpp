// What has the shape of Python, what has not, and which names a text binds and needs.
#include "intake/python_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kbx::intake {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

TEST(PythonShape, AcceptsWhatPythonAccepts) {
  for (const char* code :
       {"x = [1,\n  2]\n",
        "x = {'a': 1}\nif x: pass\nelse: pass\n",
        "@a.b(c)\n@d\ndef f(x, *, y=1) -> int:\n    return x\n",
        "x = 'a' \"b\" f'{x!r:>{w}}'\n",
        "x = f'{d[\"k\"]}' + f\"{d[\"k\"]} {x}\"\n",
        "y = a if b else c\nz = x not in y\n",
        "from ...a.b import c\nfrom .. import d\nfrom a import (b,\n    c as d,\n)\nfrom . import e\nfrom x import *\n",
        "def f(): ...\n",
        "x = 1 + \\\n    2\n",
        "match x:\n    case 1:\n        pass\n",
        "async def f():\n    async with a as b:\n        await c\n",
        "\xE5\x90\x8D = 1\n",
        "x = 1e-5 + 0x1E + 1_000 + .5j\n",
        "try:\n    pass\nexcept (A, B) as e:\n    raise X from e\nfinally:\n    pass\n",
        "class A(B):\n    x: int = 3\n\n    def f(self):\n        return lambda a, b=1: a\n",
        "print(x, end='')\nif __name__ == '__main__':\n\tf()\n",
        "\"\"\"doc ``` string\n\n  (unbalanced\n\"\"\"\nx = 1\n",
        "@triton.jit\ndef k(x, B: tl.constexpr):\n    pass\n",
        "a, *b = c\n*d, e = f\n",
        "x = not y\ny = -x ** ~z\nassert x, 'y'\nreturn\ndel x\nglobal q\n",
        "def f(x,\n      y):\n    return (x\n+ y)\n"}) {
    PythonShape s = shape_of(code);
    EXPECT_TRUE(s.valid) << code << "\n" << s.problem;
  }
}

TEST(PythonShape, RefusesProse) {
  for (const char* text : {"Here is the kernel.\n", "1. First item\n", "Note: this works.\n", "**Kernel**\n",
                           "for example, we use a mask\n", "> quoted\n", "Done.\n", "import the module and run it\n",
                           "with this kernel, x = 1\n", "The kernel's mask\n", "f(x) returns x\n", ""})
    EXPECT_FALSE(shape_of(text).valid) << text;
}

TEST(PythonShape, RefusesBrokenPythonAndNamesTheLine) {
  struct Case {
    const char* code;
    int line;
  };
  for (Case c : {Case{"x = 1\ny = (2]\n", 2},
                 {"if x:\ny = 1\n", 2},
                 {"x = 1\n  y = 2\n", 2},
                 {"def f()\n    pass\n", 1},
                 {"if x:\n    a\n  b\n", 3},
                 {"x = 'abc\ny = 1\n", 1},
                 {"@d\nx = 1\n", 2},
                 {"x = $y\n", 1},
                 {"x = y z\n", 1}}) {
    PythonShape s = shape_of(c.code);
    EXPECT_FALSE(s.valid) << c.code;
    EXPECT_EQ(s.problem_line, c.line) << c.code << s.problem;
  }
}

TEST(PythonShape, TellsACutTextFromAWrongOne) {
  for (const char* cut : {"x = f(1,", "x = \"\"\"abc", "x = ", "def f(x):\n", "x = 'ab", "@triton.jit\n", "x = tl.",
                          "for i in range(3)", "import"})
    EXPECT_TRUE(shape_of(cut).cut) << cut;
  for (const char* wrong : {"x = y z\n", "x = 'ab\ny = 1\n", "x = )\n", "Not code. At all.\n"})
    EXPECT_FALSE(shape_of(wrong).cut) << wrong;
}

TEST(PythonShape, KnowsTopLevelDefinitionsAndKernels) {
  PythonShape s = shape_of(
      "import torch, numpy.linalg as la, os.path\nfrom triton import jit, cdiv as ceil\nN = 3\n"
      "@triton.autotune(configs=[], key=[])\n@triton.jit\ndef k(x):\n    pass\ndef f(a):\n    def inner(): pass\n    b "
      "= a\n    return k, b\n");
  std::vector<std::string> names;
  for (const auto& d : s.definitions) names.push_back(d.name);
  EXPECT_THAT(names, ElementsAre("torch", "la", "os", "jit", "ceil", "N", "k", "f"));
  EXPECT_TRUE(s.find("k")->is_kernel);
  EXPECT_FALSE(s.find("f")->is_kernel);
  EXPECT_TRUE(s.defines("f"));
  EXPECT_FALSE(s.defines("torch"));
  EXPECT_TRUE(s.has_kernel);
}

TEST(PythonShape, FreeNamesAreThoseThatNobodyBinds) {
  PythonShape s = shape_of(
      "def f(a, *args, b=default, **kw):\n    for i, j in pairs:\n        c = kernel[(i,)](a, BLOCK=j)\n    with "
      "open(p) as h:\n        pass\n"
      "    if (n := len(a)) > 3:\n        a.attribute = n\n    return lambda q: q + c\n");
  for (const char* free : {"default", "pairs", "kernel", "p"}) EXPECT_THAT(s.free_names, Contains(free));
  for (const char* bound : {"a", "args", "b", "kw", "i", "j", "c", "h", "n", "q", "attribute", "BLOCK"})
    EXPECT_THAT(s.free_names, Not(Contains(bound)));
}

}  // namespace
}  // namespace kbx::intake
