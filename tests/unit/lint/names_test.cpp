// Names: every way in which a name can be hidden leads to the same dotted name, and own names lead to none.
#include "lint/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kbx::lint {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// What the last expression of the text refers to.
NameSet last(const std::string& text) {
  Source source(text);
  Scopes scopes(source);
  Names names(source, scopes);
  NodeId statement = kNoNode;
  for (NodeId id = 0; id < source.size(); id++)
    if (source.kind(id) == "expression_statement") statement = id;
  return names.of(source.first(statement));
}

std::optional<std::string> constant(const std::string& text) {
  Source source(text);
  Scopes scopes(source);
  Names names(source, scopes);
  NodeId statement = kNoNode;
  for (NodeId id = 0; id < source.size(); id++)
    if (source.kind(id) == "expression_statement") statement = id;
  return names.constant(source.first(statement));
}

TEST(Names, ImportsAndAliases) {
  EXPECT_THAT(last("import torch as t\nt.compile"), ElementsAre("torch.compile"));
  EXPECT_THAT(last("from os import system as s\ns"), ElementsAre("os.system"));
  EXPECT_THAT(last("import os.path\nos.system"), ElementsAre("os.system"));
  EXPECT_THAT(last("import os.path as p\np.join"), ElementsAre("os.path.join"));
  EXPECT_THAT(last("import torch\nf = g = torch.compile\ng"), ElementsAre("torch.compile"));
  EXPECT_THAT(last("import torch, os\na, (b, c) = 1, (torch, os)\nc.system"), ElementsAre("os.system"));
  EXPECT_THAT(last("from os import *\nsystem"), Contains("os.system"));
}

TEST(Names, LookupsByText) {
  EXPECT_THAT(last("import torch\ngetattr(torch, 'com' 'pi' + 'le')"), ElementsAre("torch.compile"));
  EXPECT_THAT(last("g = getattr\nimport torch\ng(torch.cuda, 'Event')"), ElementsAre("torch.cuda.Event"));
  EXPECT_THAT(last("__import__('os').system"), ElementsAre("os.system"));
  EXPECT_THAT(last("__import__('os.path').system"), ElementsAre("os.system"));
  EXPECT_THAT(last("import importlib as i\ni.import_module('os.path').join"), ElementsAre("os.path.join"));
  EXPECT_THAT(last("import sys\nsys.modules['torch'].compile"), ElementsAre("torch.compile"));
  EXPECT_THAT(last("import sys\nsys.modules.get('torch').compile"), Contains("torch.compile"));
  EXPECT_THAT(last("import torch\ntorch.__dict__['compile']"), ElementsAre("torch.compile"));
  EXPECT_THAT(last("import torch\nvars(torch)['compile']"), ElementsAre("torch.compile"));
  EXPECT_THAT(last("import torch as t\nglobals()['t'].compile"), ElementsAre("torch.compile"));
  EXPECT_THAT(last("import operator, torch\noperator.attrgetter('compile')(torch)"), ElementsAre("torch.compile"));
}

TEST(Names, OneSpelling) {
  EXPECT_EQ(canonical("torch.ops.aten.mm.default"), "torch.mm.default");
  EXPECT_EQ(canonical("torch.os.system"), "os.system");
  EXPECT_EQ(canonical("torch.multiprocessing.Process"), "multiprocessing.Process");
  EXPECT_EQ(canonical("io.open"), "builtins.open");
  EXPECT_EQ(canonical("posix.system"), "os.system");
  EXPECT_EQ(canonical("torch.signal.windows"), "torch.signal.windows");
  EXPECT_EQ(canonical("f().os.x"), "f().os.x");
}

TEST(Names, BuiltinsUnlessBound) {
  EXPECT_THAT(last("exec"), ElementsAre("builtins.exec"));
  EXPECT_THAT(last("def exec(): pass\nexec"), IsEmpty());
  EXPECT_THAT(last("def f(exec):\n  exec"), IsEmpty());
  EXPECT_THAT(last("class A:\n  exec = 1\n  def f(self):\n    exec"), ElementsAre("builtins.exec"));
  EXPECT_THAT(last("unknown.name"), IsEmpty());
}

TEST(Names, ScopesFollowPython) {
  EXPECT_THAT(last("import torch\ndef f(torch):\n  torch.compile"), IsEmpty());
  EXPECT_THAT(last("import torch\ndef f(a=torch):\n  a.compile"), ElementsAre("torch.compile"));
  EXPECT_THAT(last("import torch\ndef f(torch=torch):\n  torch.compile"), ElementsAre("torch.compile"));
  EXPECT_THAT(last("def f():\n  global t\n  import torch as t\nt.compile"), ElementsAre("torch.compile"));
  EXPECT_THAT(last("def f():\n  import torch as t\nt.compile"), IsEmpty());
  EXPECT_THAT(last("import torch\n[0 for torch in x]\ntorch.compile"), ElementsAre("torch.compile"));
  EXPECT_THAT(last("if __name__ == '__main__':\n  import os as t\nt.system"), IsEmpty());
}

TEST(Names, AlternativesAreAllKept) {
  NameSet names = last("import torch\nif x:\n  f = torch.compile\nelse:\n  f = torch.relu\nf");
  EXPECT_THAT(names, Contains("torch.compile"));
  EXPECT_THAT(names, Contains("torch.relu"));
  EXPECT_THAT(last("import torch\n(torch.a if x else torch.b)"), testing::SizeIs(2));
  EXPECT_THAT(last("import torch\n(None or torch.a)"), ElementsAre("torch.a"));
}

TEST(Names, ResultsOfCallsAreMarked) {
  EXPECT_THAT(last("from pathlib import Path\np = Path('a') / 'b'\np.open"), ElementsAre("pathlib.Path().open"));
  EXPECT_THAT(last("import torch\nx = torch.empty(3)\nx.grad"), ElementsAre("torch.empty().grad"));
}

TEST(Names, CyclesAndLongChainsEnd) {
  EXPECT_THAT(last("a = b\nb = a\na"), IsEmpty());
  EXPECT_THAT(last("a = a.x\na"), IsEmpty());
  std::string chain = "import torch as a0\n";
  for (int i = 1; i < 5000; i++) chain += "a" + std::to_string(i) + " = a" + std::to_string(i - 1) + "\n";
  EXPECT_THAT(last(chain + "a4999"), Not(Contains("a4999")));
}

TEST(Names, ConstantStrings) {
  EXPECT_EQ(constant("'a' \"b\" + '''c'''"), "abc");
  EXPECT_EQ(constant("'\\x65\\u0078\\145\\n'"), "exe\n");
  EXPECT_EQ(constant("'\\u00e4\\u20ac\\U0001F600\\q\\\\'"), "ä€😀\\q\\");
  EXPECT_EQ(constant("r'\\x65'"), "\\x65");
  EXPECT_EQ(constant("k = 'x'\nf'a{k}c'"), "axc");
  EXPECT_EQ(constant("'-'.join(['a', 'b'])"), "a-b");
  EXPECT_EQ(constant("'cexe'[::-1]"), "exec");
  EXPECT_EQ(constant("b'exec'.decode()"), "exec");
  EXPECT_EQ(constant("chr(101) + 'xec'"), "exec");
  EXPECT_EQ(constant("'EXEC'.lower()"), "exec");
  EXPECT_EQ(constant("f'{x}'"), std::nullopt);
  EXPECT_EQ(constant("k = 'x'\nk = 'y'\nk"), std::nullopt);
  EXPECT_EQ(constant("f('x')"), std::nullopt);
}

}  // namespace
}  // namespace kbx::lint
