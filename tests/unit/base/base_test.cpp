// base: hashing, base64, JSON, files, text, Philox.
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sha256.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "base/base64.h"
#include "base/fd.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/philox.h"
#include "base/text.h"
#include "base/words.h"

namespace kbx {

TEST(Hash, KnownAnswers) {  // FIPS 180-4, examples
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  // Every length around the ends of blocks, beside the library that other processors use.
  std::string text;
  for (int k = 0; k < 300; k++) {
    char hex[SHA256_DIGEST_STRING_LENGTH];
    SHA256Data(reinterpret_cast<const uint8_t*>(text.data()), text.size(), hex);
    EXPECT_EQ(sha256_hex(text), hex) << k;
    text += char(k * 131 + k / 7);
  }
}

TEST(Hash, FieldsDoNotRunIntoEachOther) {
  EXPECT_NE(FieldHash().add("ab").add("c").hex(), FieldHash().add("a").add("bc").hex());
  EXPECT_NE(FieldHash().add("a").add("").hex(), FieldHash().add("").add("a").hex());
}

TEST(Base64, KnownAnswers) {  // RFC 4648, section 10
  const char* pairs[][2] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
  for (auto [plain, coded] : pairs) {
    std::string_view text = plain;
    EXPECT_EQ(to_base64(reinterpret_cast<const std::byte*>(text.data()), text.size()), coded);
    auto back = from_base64(coded);
    ASSERT_TRUE(back) << coded;
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(back->data()), back->size()), plain);
  }
  std::vector<std::byte> all;
  for (int k = 0; k < 256; k++) all.push_back(std::byte(k));
  EXPECT_EQ(from_base64(to_base64(all.data(), all.size())), all);
}

TEST(Base64, OtherTextIsRefused) {
  for (const char* text : {"Zg", "Zg=", "Z===", "Zm9v=Zg=", "Zm 9", "Zm9\xff", "===="}) EXPECT_FALSE(from_base64(text)) << text;
}

TEST(JsonText, ErrorNamesThePlace) {
  auto r = parse_json("{\"a\": 1,\n \"b\": }");
  ASSERT_FALSE(r);
  EXPECT_NE(r.error().message.find("line 2"), std::string::npos) << r.error().message;
}

TEST(JsonText, DeepNestingIsRefusedAndStringsDoNotCount) {
  EXPECT_FALSE(parse_json(std::string(100000, '[')));
  EXPECT_TRUE(parse_json("\"" + std::string(5000, '[') + "\""));
}

TEST(JsonText, AsDeepAsItMayBe) {
  EXPECT_TRUE(parse_json(std::string(256, '[') + std::string(256, ']')));
  EXPECT_FALSE(parse_json(std::string(257, '[') + std::string(257, ']')));
}

TEST(JsonText, OfEqualKeysTheLastValueCounts) {
  EXPECT_EQ(dump_json(*parse_json(R"({"a": {"x": 1}, "b": 2, "a": [3, {"c": null}]})")), R"({"a":[3,{"c":null}],"b":2})");
  std::string text = "{";
  for (int k = 0; k < 100; k++) text += fmt::format("\"k{}\":{},", k, k);
  auto json = parse_json(text + R"("k3": true, "k99": {"y": "z"}, "last": 0})");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->size(), 101u);
  EXPECT_EQ(get(*json, "k3"), Json(true));
  EXPECT_EQ(get_string(get(*json, "k99"), "y"), "z");
  EXPECT_EQ(std::next(json->begin(), 3).key(), "k3");
}

// An object that would take an hour if every key were compared with all before it.
TEST(JsonText, VeryManyKeysAreReadInTime) {
  std::string text = "{";
  for (int k = 0; k < 300'000; k++) text += (k ? ",\"" : "\"") + std::to_string(k) + "\":0";
  auto json = parse_json(text + "}");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->size(), 300'000u);
}

TEST(JsonText, NulIsNoEnd) { EXPECT_FALSE(parse_json(std::string_view("{}\0x", 4))); }

TEST(JsonText, ReadersNeverThrowOnWrongTypes) {
  Json j = {{"s", 1}, {"n", "x"}};
  EXPECT_FALSE(get_string(j, "s"));
  EXPECT_FALSE(get_int(j, "n"));
  EXPECT_FALSE(get_bool(Json::array(), "n"));
  EXPECT_TRUE(get(Json(3), "x").is_null());
}

TEST(JsonText, InvalidUtf8IsReplacedNotThrown) { EXPECT_EQ(dump_json(Json(std::string("a\xff"))), "\"a\xEF\xBF\xBD\""); }

TEST(Files, WriteIsAtomicAndReadNamesThePath) {
  auto dir = std::filesystem::temp_directory_path() / ("kbx_files_" + std::to_string(::getpid()));
  std::filesystem::create_directories(dir);
  ASSERT_TRUE(write_file(dir / "a", "one"));
  ASSERT_TRUE(write_file(dir / "a", "two"));
  EXPECT_EQ(*read_file(dir / "a"), "two");
  size_t entries = 0;
  for ([[maybe_unused]] const auto& e : std::filesystem::directory_iterator(dir)) entries++;
  EXPECT_EQ(entries, 1u);
  auto missing = read_file(dir / "nothing");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("nothing"), std::string::npos);
  std::filesystem::remove_all(dir);
}

TEST(Files, APipeIsWrittenToAndNotReplaced) {
  auto dir = std::filesystem::temp_directory_path() / ("kbx_pipe_" + std::to_string(::getpid()));
  std::filesystem::create_directories(dir);
  auto pipe = dir / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Fd reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  ASSERT_TRUE(is_special_file(pipe));
  ASSERT_TRUE(write_file(pipe, "one"));
  char got[8] = {};
  EXPECT_EQ(::read(reader.get(), got, sizeof got), 3);
  EXPECT_STREQ(got, "one");
  EXPECT_TRUE(is_special_file(pipe));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir), {}), 1);
  std::filesystem::remove_all(dir);
}

TEST(Text, LinesOfEveryKind) {
  EXPECT_EQ(split_lines("a\r\nb\rc\nd"), (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(split_lines("a\n\n"), (std::vector<std::string>{"a", ""}));
  EXPECT_TRUE(split_lines("").empty());
}

TEST(Text, NearestSuggestsTypingErrorsOnly) {
  std::vector<std::string> names{"softmax", "log_softmax", "gelu"};
  EXPECT_EQ(nearest("sofmax", names).front(), "softmax");
  EXPECT_TRUE(nearest("convolution", names).empty());
}

TEST(Text, OnlyTheNearestAndNothingThatSharesNoLetter) {
  std::vector<std::string> names{"min", "mul", "math", "i0", "lu"};
  EXPECT_EQ(nearest("mth", names), std::vector<std::string>{"math"});
  EXPECT_TRUE(nearest("*", names).empty());
}

TEST(Words, SentencesReadWell) {
  EXPECT_EQ(counted(1, "task"), "1 task");
  EXPECT_EQ(counted(0, "task"), "0 tasks");
  EXPECT_EQ(did_you_mean("gleu", {"gelu", "softmax"}), "; did you mean gelu?");
  EXPECT_EQ(did_you_mean("convolution", {"gelu"}), "");
}

TEST(Text, CleanUtf8RefusesOverlongAndSurrogates) {
  EXPECT_EQ(clean_utf8("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(clean_utf8("\xED\xA0\x80").substr(0, 3), "\xEF\xBF\xBD");
  EXPECT_EQ(clean_utf8("ä"), "ä");
  EXPECT_EQ(clean_utf8("äää", 4), "ää...");
}

TEST(Text, ShownCannotSteerATerminal) {
  EXPECT_EQ(shown("a\033[31m\r\x7f"), "a?[31m??");
  EXPECT_EQ(shown("\xC2\x9B" "31m"), "?31m");
  EXPECT_EQ(shown("ä\n\tb"), "ä\n\tb");
  EXPECT_EQ(shown("a\xE2\x80\xAE" "b\xE2\x81\xA6\xE2\x80\xA8\xD8\x9C"), "a?b???");  // marks of direction, line separator
  EXPECT_EQ(shown("\xE2\x80\x93 \xE2\x81\xB0 \xC2\xA0"), "\xE2\x80\x93 \xE2\x81\xB0 \xC2\xA0");  // their neighbours are seen
  EXPECT_EQ(shown_line("a\nb\tc\033"), "a b c?");
}

TEST(Philox, KnownAnswers) {  // Random123 distribution, kat_vectors, philox4x32 10 rounds
  EXPECT_EQ(philox4x32_10({0, 0, 0, 0}, {0, 0}), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32_10({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

}  // namespace kbx
