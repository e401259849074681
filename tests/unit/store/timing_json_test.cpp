// timing_json: a timing comes back as it was, also out of a record; older records have none.
#include "store/timing_json.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/efficiency.h"
#include "store/record_json.h"

namespace kbx::store {
namespace {

Timing sample() {
  Timing t;
  t.gpu = "NVIDIA X";
  t.board = "GPU-1";
  t.driver = "580.1";
  SizeTiming s{"large", "", TimedBy::mixed, 20, 40, 2, 1.9, 2.1, 12, 190, 1, 2, 2.66, true, 8.5, 1830, 1ull << 40, 31, 62, 48e6, 1e9, "f16", 0, "", {}, {}, {}, {}, true, false, {"repeated", "once"}};
  t.sizes = {s, s};
  t.sizes[1].case_name = "small";
  t.sizes[1].problem = "the device was lost";
  Peaks sheet{"X", Peaks::Origin::user, 4.8e12, {}, "gpus.toml"};
  sheet.unit[size_t(Unit::f16)] = 989.4e12;
  Peaks reached = sheet;
  reached.origin = Peaks::Origin::calibrated;
  reached.bandwidth = 4e12;
  complete(t, &sheet, &reached);
  return t;
}

TEST(TimingJson, ComesBackWhole) {
  Timing t = sample();
  t.sizes.pop_back();  // so that the means exist
  Peaks sheet = *t.peaks, reached = *t.reached;
  complete(t, &sheet, &reached);
  Json first = timing_json(t);
  auto back = timing_from(*parse_json(dump_json(first)));
  ASSERT_TRUE(back);
  EXPECT_EQ(timing_json(*back), first);
  const SizeTiming& s = back->sizes.at(0);
  EXPECT_EQ(s.by, TimedBy::mixed);
  EXPECT_EQ(s.pairs, 190);
  EXPECT_EQ(s.throttle_reasons, 1ull << 40);
  EXPECT_TRUE(s.launch_bound);
  EXPECT_EQ(s.limit, "memory");
  EXPECT_DOUBLE_EQ(*s.iou, 0.5);
  EXPECT_DOUBLE_EQ(*s.iou_reached, 0.6);
  EXPECT_EQ(s.notes, (std::vector<std::string>{"repeated", "once"}));
  EXPECT_DOUBLE_EQ(*back->speedup, 2);
  EXPECT_EQ(back->peaks->origin, Peaks::Origin::user);
  EXPECT_DOUBLE_EQ(*back->reached->of("f16"), 989.4e12);
}

TEST(TimingJson, WhetherASizeCountsComesBack) {
  Timing t = sample();
  t.sizes[0].compared = false;
  t.sizes[1].claimed = true;
  Json j = timing_json(t);
  auto back = timing_from(j);
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->sizes[0].compared);
  EXPECT_FALSE(back->sizes[0].claimed);
  EXPECT_TRUE(back->sizes[1].claimed);
  j["sizes"][0].erase("compared");  // an older kbx
  EXPECT_TRUE(timing_from(j)->sizes[0].compared);
}

TEST(TimingJson, WhatIsAbsentIsNull) {
  Json j = timing_json(sample());
  EXPECT_TRUE(j["speedup"].is_null());
  EXPECT_TRUE(j["sizes"][1]["iou"].is_null());
  EXPECT_EQ(j["sizes"][1]["problem"], "the device was lost");
  Timing odd;
  odd.sizes.resize(1);
  odd.sizes[0].speedup = NAN;
  odd.speedup = INFINITY;
  EXPECT_TRUE(timing_json(odd)["sizes"][0]["speedup"].is_null());
  EXPECT_TRUE(timing_json(odd)["speedup"].is_null());
}

TEST(TimingJson, AnUnknownTimerIsTheLeastTrusted) {
  Json j = timing_json(sample());
  j["sizes"][0]["by"] = "a newer way";
  EXPECT_EQ(timing_from(j)->sizes[0].by, TimedBy::in_process);
  EXPECT_FALSE(timing_from(nullptr));
  EXPECT_TRUE(timing_from(Json::object())->sizes.empty());
}

TEST(RecordJson, KeepsATimingAndOlderRecordsHaveNone) {
  Record r;
  r.timing = sample();
  Json j = to_json(r);
  auto back = record_from_json(*parse_json(dump_json(j)));
  ASSERT_TRUE(back);
  ASSERT_TRUE(back->timing);
  EXPECT_EQ(timing_json(*back->timing), timing_json(sample()));
  j.erase("timing");
  auto older = record_from_json(j);
  ASSERT_TRUE(older);
  EXPECT_FALSE(older->timing);
  EXPECT_FALSE(to_json(*older).contains("timing"));
}

}  // namespace
}  // namespace kbx::store
