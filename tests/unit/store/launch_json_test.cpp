// Launches, costs and places of findings survive the store; records of an older kbx are read.
#include "store/launch_json.h"

#include <gtest/gtest.h>

#include "store/record_json.h"

namespace kbx::store {
namespace {

TEST(LaunchJson, ComesBackWhole) {
  Launch l;
  l.kernel = "k";
  l.grid[0] = 7;
  l.load_bytes = 80;
  l.atomic_bytes = 4;
  l.instructions = 9;
  l.unique_load_bytes = 40;
  l.unique_store_bytes = 20;
  l.flops = 30;
  l.flops_by = {{"f32", 10}, {"dot_f16", 20}};
  l.lines = {{12, 80, 0, 4, 30, 9}};
  l.tensors = {{"x_ptr", "input", 0, 64, 80, 0, 0, 40, 0}, {"y_ptr", "", -1, 32, 0, 20, 0, 0, 20}};
  Launch back = launch_from(launch_json(l));
  EXPECT_EQ(launch_json(back), launch_json(l));
  EXPECT_EQ(back.grid[0], 7);
  EXPECT_EQ(back.flops_by, l.flops_by);
  ASSERT_EQ(back.tensors.size(), 2u);
  EXPECT_EQ(back.tensors[0].storage, 0);
  EXPECT_EQ(back.tensors[1].storage, -1);
  EXPECT_EQ(back.tensors[1].unique_store_bytes, 20);
  EXPECT_EQ(back.lines.at(0).atomic_bytes, 4);
}

TEST(LaunchJson, AnOldRecordIsReadAndHasNothingCounted) {
  Json old = {{"kernel", "k"}, {"grid", {1, 2, 3}}, {"seconds", 0.25}, {"load_bytes", 8}, {"store_bytes", 4}, {"flops", 2}, {"reaches_output", true}};
  Launch l = launch_from(old);
  EXPECT_EQ(l.grid[2], 3);
  EXPECT_EQ(l.load_bytes, 8);
  EXPECT_TRUE(l.reaches_output);
  EXPECT_EQ(l.unique_load_bytes, 0);
  EXPECT_EQ(launch_json(l), old) << "and nothing that was not counted is written";
  Json record = {{"verdict", "correct"}, {"paper", "correct"}, {"launches", {old}}};
  auto r = record_from_json(record);
  ASSERT_TRUE(r);
  EXPECT_FALSE(r->cost);
  EXPECT_EQ(r->launches.size(), 1u);
}

TEST(RecordJson, TheCostOfTheCallComesBack) {
  Record r;
  r.verdict = r.paper = Verdict::correct;
  r.cost = CallCost{"rows", 64, 128, "tf32"};
  auto back = record_from_json(to_json(r));
  ASSERT_TRUE(back && back->cost);
  EXPECT_EQ(back->cost->case_name, "rows");
  EXPECT_EQ(back->cost->bytes, 64);
  EXPECT_EQ(back->cost->flops, 128);
  EXPECT_EQ(back->cost->unit, "tf32");
}

TEST(FindingJson, PlaceComesBackAndAnOldFindingHasNone) {
  Finding f{Layer::ir, "data_race", Severity::reject, "m", 9, 5};
  f.place.argument = "out_ptr";
  f.place.index = 0;
  f.place.shape_index = {0, 0};
  f.place.program = {0, 0, 0};
  f.place.other_line = 3;
  f.place.count = 2;
  Finding back = finding_from(finding_json(f));
  EXPECT_EQ(back.place.index, 0);
  EXPECT_EQ(back.place.shape_index, f.place.shape_index);
  EXPECT_EQ(back.place.program, f.place.program);
  EXPECT_EQ(back.place.other_line, 3);
  EXPECT_EQ(finding_json(back), finding_json(f));
  Json old = {{"layer", "lint"}, {"rule", "r"}, {"severity", "warn"}, {"message", "m"}, {"line", 1}, {"column", 2}};
  EXPECT_FALSE(finding_from(old).place.index);
  EXPECT_EQ(finding_json(finding_from(old)), old);
}

}  // namespace
}  // namespace kbx::store
