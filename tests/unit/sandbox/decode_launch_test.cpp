// Launch rows and findings of a hostile worker: what is kept, what is cut, what counts as nothing.
#include <gtest/gtest.h>

#include <limits>

#include "sandbox/decode.h"

namespace kbx::sandbox {
namespace {

Json honest() {
  return {{"kernel", "k"},
          {"grid", {4, 1, 1}},
          {"seconds", 0.5},
          {"load_bytes", 80},
          {"store_bytes", 40},
          {"atomic_bytes", 8},
          {"unique_load_bytes", 40},
          {"unique_store_bytes", 20},
          {"flops", 30},
          {"instructions", 12},
          {"flops_by", {{"f32", 10}, {"dot_f16", 20}}},
          {"outputs", true},
          {"lines", {{{"line", 12}, {"load_bytes", 80}, {"flops", 30}}}},
          {"tensors", {{{"argument", "x_ptr"}, {"tensor", "input"}, {"storage", 3}, {"bytes", 64}, {"unique_load_bytes", 40}}}}};
}

TEST(DecodeLaunches, EveryFieldArrives) {
  auto got = decode_launches(Json::array({honest()}));
  ASSERT_EQ(got.size(), 1u);
  const Launch& l = got[0];
  EXPECT_EQ(l.atomic_bytes, 8);
  EXPECT_EQ(l.unique_load_bytes, 40);
  EXPECT_EQ(l.unique_store_bytes, 20);
  EXPECT_EQ(l.instructions, 12);
  EXPECT_EQ(l.flops_by.at("dot_f16"), 20);
  EXPECT_TRUE(l.reaches_output);
  ASSERT_EQ(l.lines.size(), 1u);
  EXPECT_EQ(l.lines[0].line, 12);
  EXPECT_EQ(l.lines[0].load_bytes, 80);
  ASSERT_EQ(l.tensors.size(), 1u);
  EXPECT_EQ(l.tensors[0].tensor, "input");
  EXPECT_EQ(l.tensors[0].storage, 3);
  EXPECT_EQ(l.tensors[0].unique_load_bytes, 40);
}

TEST(DecodeLaunches, ARowOfAnOlderWorkerHasNothingCounted) {
  auto got = decode_launches(Json::array({{{"kernel", "k"}, {"load_bytes", 8}}}));
  ASSERT_EQ(got.size(), 1u);
  EXPECT_EQ(got[0].load_bytes, 8);
  EXPECT_EQ(got[0].unique_load_bytes, 0);
  EXPECT_TRUE(got[0].tensors.empty());
}

TEST(DecodeLaunches, NumbersThatCannotBeTrueCountAsNothing) {
  for (const Json& bad : {Json(-1), Json(std::numeric_limits<int64_t>::max()), Json(1e30), Json("80"), Json(nullptr), Json(std::numeric_limits<uint64_t>::max())}) {
    Json j = honest();
    for (const char* key : {"load_bytes", "store_bytes", "atomic_bytes", "unique_load_bytes", "flops", "instructions"}) j[key] = bad;
    j["flops_by"]["f32"] = bad;
    j["lines"][0]["line"] = bad;
    j["tensors"][0]["bytes"] = bad;
    j["tensors"][0]["storage"] = bad;
    auto l = decode_launches(Json::array({j})).at(0);
    EXPECT_EQ(l.load_bytes + l.store_bytes + l.atomic_bytes + l.unique_load_bytes + l.flops + l.instructions, 0) << bad;
    EXPECT_EQ(l.flops_by.count("f32"), 0u) << bad;
    EXPECT_EQ(l.lines[0].line, 0) << bad;
    EXPECT_EQ(l.tensors[0].bytes, 0) << bad;
    EXPECT_EQ(l.tensors[0].unique_load_bytes, 0) << "no more distinct bytes than the storage has: " << bad;
    EXPECT_GE(l.tensors[0].storage, -1) << bad;
  }
}

TEST(DecodeLaunches, WrongTypesAreEmptyAndListsAreBounded) {
  Json j = honest();
  j["flops_by"] = Json::array({1, 2});
  j["lines"] = "many";
  j["tensors"] = {{"a", 1}};
  auto l = decode_launches(Json::array({j})).at(0);
  EXPECT_TRUE(l.flops_by.empty() && l.lines.empty());
  EXPECT_TRUE(l.tensors.empty());
  j = honest();
  for (int k = 0; k < 1000; k++) {
    j["flops_by"]["kind" + std::to_string(k)] = 1;
    j["lines"].push_back({{"line", k}});
    j["tensors"].push_back({{"argument", std::string(10000, 'a')}});
  }
  l = decode_launches(Json::array({j})).at(0);
  EXPECT_LE(l.flops_by.size(), 27u);
  EXPECT_EQ(l.lines.size(), 32u);
  EXPECT_EQ(l.tensors.size(), 32u);
  EXPECT_LT(l.tensors.back().argument.size(), 400u);
}

TEST(DecodeLaunches, AThousandLaunchesCarryNoEndlessDetails) {
  auto got = decode_launches(Json(std::vector<Json>(1000, honest())));
  ASSERT_EQ(got.size(), 1000u);
  EXPECT_EQ(got.front().lines.size(), 1u);
  EXPECT_TRUE(got.back().lines.empty());
  EXPECT_EQ(got.back().load_bytes, 80);
}

TEST(DecodeFindings, PlacesArriveAndLiesDoNot) {
  Json f = {{"rule", "data_race"}, {"severity", "reject"}, {"message", "m"}, {"line", 9}, {"column", 5}, {"argument", "out_ptr"}, {"index", -4}, {"shape_index", {1, 2}},
            {"program", {1, 0, 0}}, {"other_program", {2, 0, 0}}, {"other_line", 7}, {"value", "v"}, {"count", 3}};
  auto got = decode_findings(Json::array({f}));
  ASSERT_EQ(got.size(), 1u);
  const FindingPlace& p = got[0].place;
  EXPECT_EQ(got[0].column, 5);
  EXPECT_EQ(p.argument, "out_ptr");
  EXPECT_EQ(p.index, -4);
  EXPECT_EQ(p.shape_index, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(p.other_program, (std::vector<int64_t>{2, 0, 0}));
  EXPECT_EQ(p.other_line, 7);
  EXPECT_EQ(p.count, 3);
  f["index"] = "first";
  f["program"] = {1, "x", 0};
  f["other_program"] = std::vector<int>(100, 1);
  f["shape_index"] = std::vector<int>(1000, 1);
  f["value"] = std::string(100000, 'v');
  f["column"] = -3;
  auto lies = decode_findings(Json::array({f})).at(0);
  EXPECT_FALSE(lies.place.index);
  EXPECT_TRUE(lies.place.program.empty() && lies.place.other_program.empty() && lies.place.shape_index.empty());
  EXPECT_LT(lies.place.value.size(), 200u);
  EXPECT_EQ(lies.column, 0);
}

}  // namespace
}  // namespace kbx::sandbox
