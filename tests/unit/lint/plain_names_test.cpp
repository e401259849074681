// plain_names(), and that no rule is passed by letters that only look different.
#include "lint/plain_names.h"

#include <gtest/gtest.h>

#include "lint/lint.h"

namespace kbx::lint {
namespace {

TEST(PlainNames, WhatPythonReadsAsAsciiIsAscii) {
  EXPECT_EQ(plain_names("\xEF\xBD\x8F\xEF\xBD\x93"), "os");                  // full width
  EXPECT_EQ(plain_names("\xF0\x9D\x94\xA2\xF0\x9D\x97\xBA"), "em");          // mathematical: fraktur e, sans-serif bold m
  EXPECT_EQ(plain_names("\xEF\xAC\x81\xC5\xBF\xE2\x84\xAA"), "fisK");        // ligature, long s, kelvin sign
  EXPECT_EQ(plain_names("\xEF\xB8\xB3x\xF0\x9D\x9F\x97"), "_x9");            // another underscore, a digit
  EXPECT_EQ(plain_names("\xEF\xBC\xBF\xEF\xBC\xA1\xEF\xBC\x91"), "_A1");
}

TEST(PlainNames, AllElseStays) {
  for (std::string text : {"plain", "\xCE\xB1 = \xC2\xB5 * 2", "\xEF\xBC\x88\xEF\xBC\x8E", "\xE4\xB8\xAD\xE6\x96\x87", "\xF0\x9F\x98\x80", "\xFF\xC3", "\xE2\x84", "\xF0\x9D\x94"}) EXPECT_EQ(plain_names(text), text);
}

// As many as Python's unicodedata (Unicode 15.0) finds.
TEST(PlainNames, NoneIsForgotten) {
  int count = 0;
  for (uint32_t c = 0x80; c < 0x20000; c++) {
    if (c >= 0xD800 && c < 0xE000) continue;
    if (c >= 0x1D400 && c <= 0x1D6A3) continue;  // has gaps
    std::string text = c < 0x800 ? std::string{char(0xC0 | c >> 6), char(0x80 | (c & 63))}
                       : c < 0x10000 ? std::string{char(0xE0 | c >> 12), char(0x80 | (c >> 6 & 63)), char(0x80 | (c & 63))}
                                     : std::string{char(0xF0 | c >> 18), char(0x80 | (c >> 12 & 63)), char(0x80 | (c >> 6 & 63)), char(0x80 | (c & 63))};
    count += plain_names(text) != text;
  }
  EXPECT_EQ(count, 278);
}

TEST(PlainNames, RulesReadThem) {
  LintInput input;
  input.entry = "entry";
  input.source = "import torch, triton, os\n@triton.jit\ndef kernel(x): pass\ndef entry(x):\n  kernel[(1,)](x)\n  \xEF\xBD\x8F\xEF\xBD\x93.system('x')\n";
  auto found = lint(input);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rule, "process_use");
  EXPECT_EQ(found[0].line, 6);
}

}  // namespace
}  // namespace kbx::lint
