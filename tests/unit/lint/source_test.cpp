// Source: places, shape of the flat tree, and text made to break parsers.
#include "lint/source.h"

#include <gtest/gtest.h>

#include "lint/lint.h"

namespace kbx::lint {
namespace {

NodeId find(const Source& s, std::string_view text) {
  for (NodeId id = 0; id < s.size(); id++)
    if (s.text(id) == text) return id;
  return kNoNode;
}

std::string repeat(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; i++) out += text;
  return out;
}

TEST(Source, PlacesCountLinesFromOneAndColumnsInCharacters) {
  Source s("x = 1\n\"äö€\", target\n");
  Place place = s.place(find(s, "target"));
  EXPECT_EQ(place.line, 2);
  EXPECT_EQ(place.column, 8);
}

TEST(Source, SubtreesAreRangesAndSiblingsAreLinked) {
  Source s("f(a, b.c, *d)\ng()\n");
  NodeId call = find(s, "f(a, b.c, *d)");
  while (s.kind(call) != "call") call++;
  NodeId list = s.child(call, "arguments");
  ASSERT_NE(list, kNoNode);
  std::vector<NodeId> args = s.children(list);
  ASSERT_EQ(args.size(), 3u);
  EXPECT_EQ(s.text(args[1]), "b.c");
  EXPECT_EQ(s.parent(args[2]), list);
  EXPECT_TRUE(s.inside(args[2], call));
  EXPECT_FALSE(s.inside(find(s, "g()"), call));
  EXPECT_EQ(s.next(args[2]), kNoNode);
}

TEST(Source, CommentsAreNoNodes) {
  Source s("# exec(1)\nx = (1,  # exec(2)\n     2)\n");
  for (NodeId id = 0; id < s.size(); id++) EXPECT_NE(s.kind(id), "comment");
  EXPECT_FALSE(s.has_errors());
}

TEST(Source, EmptyTextIsReadable) {
  Source s("");
  EXPECT_TRUE(s.readable());
  EXPECT_FALSE(s.has_errors());
}

TEST(Source, ErrorsAreMarkedNotRefused) {
  Source s("def f(:\n  return ]\n");
  EXPECT_TRUE(s.readable());
  EXPECT_TRUE(s.has_errors());
}

TEST(Source, TextOfMoreThanAMegabyteIsNotRead) {
  Source s(std::string(kMaxSourceBytes + 1, '\n'));
  EXPECT_FALSE(s.readable());
  EXPECT_EQ(s.size(), 0u);
}

TEST(Source, EndlessErrorsAreGivenUp) {
  EXPECT_TRUE(Source(repeat("?", 200)).readable());
  EXPECT_FALSE(Source(repeat(".", 30000)).readable());
  EXPECT_FALSE(Source(repeat("exec ", 30000)).readable());
}

// None of these may exhaust the stack; each is also linted in whole, where walks and lookups could be quadratic.
TEST(Source, HostileShapesAreLinted) {
  const size_t n = 20000;
  std::vector<std::string> shapes = {
      repeat("(", n) + repeat(")", n),
      repeat("[", n),
      "x = " + repeat("-", n) + "1",
      "x = " + repeat("lambda: ", n) + "0",
      "x" + repeat(".a", n),
      "x" + repeat("()", n),
      "x" + repeat("[0]", n),
      repeat("a = ", n) + "[" + repeat("a, ", n) + "]",
      "global " + repeat("b, ", n) + "b\n" + repeat("b\n", n),
      repeat("def f():\n", 1) + repeat(" x = 1\n", n),
      "x = " + repeat("(a := ", n) + "1" + repeat(")", n),
      "x = \"" + repeat("a\" \"", n) + "\"",
      "x = " + repeat("1 + ", n) + "1",
      "x = f'" + repeat("{f\"", 500) + repeat("\"}", 500) + "'",
      repeat("if __name__ == '__main__':\n  pass\n", n / 10),
      repeat("try:\n  f()\nexcept E: pass\n", n / 10),
      repeat("@triton.jit\n", n) + "def f(): pass",
      repeat("a, ", n) + " = " + repeat("b, ", n),
      std::string(n, '\0'),
      repeat("\xff", n),
  };
  for (const std::string& shape : shapes) {
    LintInput input;
    input.source = shape;
    input.entry = "entry";
    EXPECT_FALSE(lint(input).empty()) << shape.substr(0, 40);
  }
}

}  // namespace
}  // namespace kbx::lint
