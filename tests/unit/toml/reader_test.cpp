// Reading a table: every fault is noted with its place, and the reader goes on.
#include "toml/reader.h"

#include <gmock/gmock.h>

#include <array>

namespace kbx::toml {
namespace {

const std::array kKeys{
    Key{"url", KeyType::string, true, "where it is"},
    Key{"form", KeyType::string, false, "how it looks", {"round", "square"}},
    Key{"size", KeyType::integer, false, "how large it is"},
};

std::string faults_of(std::string_view text) {
  auto tree = parse(text, "t.toml");
  if (!tree) return tree.error().message;
  Faults faults("t.toml");
  check_table(faults, *tree, kKeys, "[thing]");
  return faults.text();
}

TEST(TomlReader, AFineTableHasNoFaults) { EXPECT_EQ(faults_of("url = 'x'\nform = 'round'\nsize = 3"), ""); }

TEST(TomlReader, EveryFaultIsNamedAtItsPlace) {
  EXPECT_EQ(faults_of("url = 1\nsise = 3\nform = 'rond'"),
            "t.toml:1:1: 'url' must be a string\n"
            "t.toml:2:1: [thing]: unknown key 'sise'; did you mean 'size'?\n"
            "t.toml:3:1: form = \"rond\" is not known (did you mean \"round\"?); one of: round, square");
}

TEST(TomlReader, AMissingKeySaysWhatItIsFor) {
  EXPECT_THAT(faults_of("size = 3"), testing::HasSubstr("[thing]: 'url' is missing (a string: where it is)"));
}

TEST(TomlReader, WhatIsNotTomlIsAnErrorWithItsPlace) {
  EXPECT_THAT(faults_of("a = 1\nb = "), testing::StartsWith("t.toml:2:"));
  EXPECT_THAT(faults_of("[#"), testing::HasSubstr("not TOML"));  // toml++ 3.3 asserts here
}

TEST(TomlReader, EntriesKeepTheOrderOfTheFile) {
  auto tree = parse("zebra = 1\nant = 2.5\n[later]\nx = true", "t");
  ASSERT_TRUE(tree);
  ASSERT_EQ(tree->entries.size(), 3u);
  EXPECT_EQ(tree->entries[0].first, "zebra");
  EXPECT_EQ(tree->entries[1].first, "ant");
  EXPECT_EQ(read_number(*tree, "ant", 0), 2.5);
  EXPECT_EQ(read_int(*tree, "ant", 7), 7);  // of another type: the fallback
}

}  // namespace
}  // namespace kbx::toml
