// store: results by their columns, and records cut into members without parsing.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "store/json_cut.h"
#include "store/record_json.h"
#include "store/store.h"

namespace kbx::store {
namespace {

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("kbx_rows_" + std::to_string(::getpid()));
  Folder() { std::filesystem::remove_all(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

Record record(int n) {
  Record r;
  r.job_key = "key" + std::to_string(n);
  r.ordinal = n;
  r.candidate = "a.jsonl:" + std::to_string(n);
  r.task = "softmax";
  r.category = "math";
  r.verdict = n ? Verdict::wrong_value : Verdict::correct;
  r.paper = Verdict::correct;
  r.call_ok = true;
  r.exe_ok = !n;
  r.explanation = "a \"quoted\" \\ text, with { and ] and \xc3\xa9\n";
  r.error_type = "ValueError";
  r.seconds = 1.5;
  return r;
}

}  // namespace

TEST(JobRows, SayWhatTheRecordSays) {
  Folder folder;
  auto store = Store::open(folder.path);
  ASSERT_TRUE(store);
  for (int n = 0; n < 3; n++) ASSERT_TRUE(store->append(record(n)));
  int n = 0;
  ASSERT_TRUE(store->each_row([&](const JobRow& row) {
    Record want = record(n);
    EXPECT_EQ(row.candidate, want.candidate);
    EXPECT_EQ(row.ordinal, n);
    EXPECT_EQ(row.verdict, want.verdict);
    EXPECT_EQ(row.exe_ok, want.exe_ok);
    EXPECT_EQ(row.seconds, 1.5);
    RecordParts parts(row.record());
    EXPECT_EQ(parts.string("explanation"), want.explanation);
    EXPECT_EQ(parts.string("error_type"), "ValueError");
    EXPECT_EQ(parts.text("call_ok"), "true");
    EXPECT_EQ(parts.text("timing"), "");
    EXPECT_TRUE(parts.json("timing").is_null());
    EXPECT_EQ(parts.json("findings"), to_json(want)["findings"]);
    return ++n < 2;
  }));
  EXPECT_EQ(n, 2) << "the visitor stops the walk";
}

TEST(RecordPartsOfText, EveryMemberIsFoundAsParsingFindsIt) {
  Json j = {{"a", "x\\\"y"}, {"", 3}, {"b", {{"c", {1, 2, "]}"}}}}, {"d", nullptr}, {"e", -1.5e-3}, {"f", Json::array()}};
  std::string text = dump_json(j);
  RecordParts parts(text);
  for (const auto& [key, value] : j.items()) EXPECT_EQ(parts.json(key), value) << key;
}

TEST(ListsAndNumbers, AreCutAsParsingFindsThem) {
  Json list = {1, "a,\\\"]", {{"b", {1, 2}}}, Json::array(), nullptr, "[x"};
  std::string text = dump_json(list);
  auto parts = list_parts(text);
  ASSERT_EQ(parts.size(), list.size());
  for (size_t k = 0; k < parts.size(); k++) EXPECT_EQ(*parse_json(parts[k]), list[k]);
  for (std::string_view none : {"", "[", "[]", "{}", "1", "[1"}) EXPECT_TRUE(list_parts(none).empty()) << none;
  RecordParts numbers("{\"a\":-1.5e-3,\"b\":\"nan\",\"c\":\"-inf\",\"d\":\"x\",\"e\":7}");
  EXPECT_EQ(number_part(numbers, "a"), -1.5e-3);
  EXPECT_TRUE(std::isnan(*number_part(numbers, "b")));
  EXPECT_TRUE(std::isinf(*number_part(numbers, "c")));
  EXPECT_FALSE(number_part(numbers, "d"));
  EXPECT_EQ(number_part(numbers, "e"), 7);
  EXPECT_FALSE(number_part(numbers, "f"));
}

TEST(RecordPartsOfText, DamagedTextStaysInside) {
  for (std::string_view t : {"", "{", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"a\":[1", "[1,2]", "{\"a\":1", "{a:1}", "{\"a\\\":1}"}) {
    RecordParts parts(t);
    EXPECT_TRUE(parts.json("b").is_null()) << t;
  }
}

}  // namespace kbx::store
