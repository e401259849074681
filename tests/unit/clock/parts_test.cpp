// Pieces of memory, the plan of streams, launch attributes, copies of an arena, requests to draw.
#include <gmock/gmock.h>

#include "clock/arena.h"
#include "clock/draw_request.h"
#include "clock/launch_attributes.h"
#include "clock/pieces.h"
#include "clock/stream_plan.h"

namespace kbx::clock {
namespace {

std::vector<std::pair<uint64_t, uint64_t>> pairs(const std::vector<DeviceRange>& r) {
  std::vector<std::pair<uint64_t, uint64_t>> out;
  for (auto& p : r) out.push_back({p.at, p.bytes});
  return out;
}
using Pairs = std::vector<std::pair<uint64_t, uint64_t>>;

TEST(Pieces, are_joined_and_complemented) {
  auto m = merged({{50, 10}, {10, 10}, {15, 10}, {60, 5}, {90, 0}});
  EXPECT_EQ(pairs(m), (Pairs{{10, 15}, {50, 15}}));
  EXPECT_EQ(pairs(complement(0, 100, m)), (Pairs{{0, 10}, {25, 25}, {65, 35}}));
  EXPECT_EQ(pairs(complement(10, 30, m)), (Pairs{{25, 15}}));
  EXPECT_EQ(pairs(complement(0, 10, {})), (Pairs{{0, 10}}));
  EXPECT_TRUE(complement(12, 5, m).empty());
}

TEST(Pieces, guarded_is_what_no_allocation_holds) {
  DeviceTape t;
  t.base = 1000;
  t.live = {{1100, 50}};
  t.inputs.push_back({"x", Dtype::f32, {1200, 40}, 0, {10}, {1}});
  EXPECT_EQ(pairs(guarded_pieces(t, 300)), (Pairs{{1000, 100}, {1150, 50}, {1240, 60}}));
  EXPECT_EQ(place_text(t, 1256), "16 bytes past x");
  EXPECT_EQ(place_text(t, 1196), "4 bytes before x");
}

DeviceEntry launch_on(uint32_t stream) {
  DeviceLaunch l;
  l.stream = stream;
  return l;
}

TEST(StreamPlan, one_stream_needs_nothing) {
  DeviceTape t;
  t.entries = {launch_on(0), DeviceRecord{0, 0}, DeviceWait{0, 0}};
  EXPECT_TRUE(plan_streams(t).side_streams.empty());
}

TEST(StreamPlan, keeps_the_events_that_order_something) {
  DeviceTape t;
  t.entries = {DeviceRecord{0, 0}, DeviceWait{0, 3}, launch_on(3), DeviceRecord{1, 3}, DeviceWait{1, 0}, DeviceRecord{2, 3}, launch_on(0)};
  StreamPlan p = plan_streams(t);
  EXPECT_THAT(p.side_streams, testing::ElementsAre(3));
  EXPECT_THAT(p.events, testing::ElementsAre(0, 1));
  EXPECT_THAT(p.keep, testing::ElementsAre(true, true, true, true, true, false, true));
}

TEST(StreamPlan, a_wait_for_an_event_from_before_the_call_is_none) {
  DeviceTape t;
  t.entries = {DeviceWait{5, 1}, DeviceRecord{5, 0}};
  StreamPlan p = plan_streams(t);
  EXPECT_THAT(p.keep, testing::ElementsAre(false, false));
  EXPECT_TRUE(p.side_streams.empty());
}

void add(DeviceLaunch& l, unsigned id) {
  CUlaunchAttribute a{};
  a.id = CUlaunchAttributeID(id);
  auto from = reinterpret_cast<const std::byte*>(&a);
  l.attributes.insert(l.attributes.end(), from, from + sizeof a);
}

TEST(LaunchAttributes, events_and_handles_of_the_recorded_process_are_dropped) {
  DeviceLaunch l;
  for (unsigned id : {4u, 7u, 12u, 13u, 6u, 99u}) add(l, id);
  auto a = launch_attributes(l, false);
  ASSERT_EQ(a.kept.size(), 2u);
  EXPECT_EQ(unsigned(a.kept[0].id), 4u);
  EXPECT_EQ(unsigned(a.kept[1].id), 6u);
  EXPECT_THAT(a.dropped, testing::ElementsAre(7, 12, 13, 99));
  // The first of the tape must not overlap the preparation.
  EXPECT_EQ(launch_attributes(l, true).kept.size(), 1u);
}

TEST(LaunchAttributes, cooperative_is_said_once) {
  DeviceLaunch l;
  l.cooperative = 1;
  EXPECT_EQ(launch_attributes(l, false).kept.size(), 1u);
  add(l, 2);
  EXPECT_EQ(launch_attributes(l, false).kept.size(), 1u);
}

TEST(Copies, three_to_forty_eight_by_size_and_by_what_is_free) {
  constexpr uint64_t kMb = 1 << 20, kGb = 1 << 30;
  EXPECT_EQ(copies_wanted(2 * kMb, 2 * kMb, 80 * kGb), 48u);
  EXPECT_EQ(copies_wanted(kGb, kGb, 80 * kGb), 21u);      // half of what is free
  EXPECT_EQ(copies_wanted(3 * kGb, kGb, 80 * kGb), 11u);
  EXPECT_EQ(copies_wanted(kGb, kGb, 5 * kGb), 3u);        // three where they fit
  EXPECT_EQ(copies_wanted(kGb, kGb, 3 * kGb), 2u);
  EXPECT_EQ(copies_wanted(kGb, kGb, 0), 1u);
  EXPECT_EQ(copies_wanted(0, 0, 80 * kGb), 48u);
}

Json drawing(const char* dist, Json params, const char* dtype = "f32", Json more = Json::object()) {
  Json draw{{"dist", dist}, {"params", params}, {"dtype", dtype}, {"count", 24}, {"shape", {2, 3, 4}}, {"key", {1, 2}}, {"salt", 3}};
  draw.update(more);
  return {{"name", "x"}, {"draw", draw}};
}

TEST(DrawRequest, reads_distributions_with_their_defaults) {
  auto r = read_draw_request(drawing("normal", {{"mean", 2}}), 0);
  ASSERT_TRUE(r) << r.error().message;
  EXPECT_EQ(r->bytes, 96u);
  EXPECT_EQ(r->draw.a, 2);
  EXPECT_EQ(r->draw.b, 1);
  EXPECT_FALSE(r->wide);
  EXPECT_TRUE(read_draw_request(drawing("randint", {{"low", 0}, {"high", 5}}, "i64"), 0)->wide);
  EXPECT_EQ(read_draw_request(drawing("normal", Json::object(), "c64"), 0)->draw.count, 48u);
  auto m = read_draw_request(drawing("conditioned", {{"cond", 10}}, "f64"), 0);
  ASSERT_TRUE(m);
  EXPECT_EQ(m->rows, 3u);
  EXPECT_EQ(m->batches, 2u);
}

TEST(DrawRequest, a_share_is_a_number_of_elements) {
  auto r = read_draw_request(drawing("chosen", {{"share", 0.3}}, "bool"), 0);
  ASSERT_TRUE(r) << r.error().message;
  EXPECT_EQ(r->draw.a, 7);  // of 24: 7.2
  EXPECT_EQ(r->draw.e, 3);  // 64 places
  EXPECT_EQ(read_draw_request(drawing("chosen", Json::object(), "bool"), 0)->draw.a, 12);
  EXPECT_EQ(read_draw_request(drawing("chosen", Json::object(), "c64"), 0)->draw.a, 12);
  EXPECT_EQ(read_draw_request(drawing("chosen", Json::object(), "i8", {{"count", 153487321}}), 0)->draw.a, 76743661);
}

TEST(DrawRequest, uniform_ends_below_its_bound_in_every_type) {
  EXPECT_EQ(read_draw_request(drawing("uniform", {{"low", 0}, {"high", 1}}, "f16"), 0)->draw.c, 1 - 0x1p-11);
  EXPECT_EQ(read_draw_request(drawing("uniform", {{"low", 0}, {"high", 1}}, "f32"), 0)->draw.c, 1 - 0x1p-24);
  EXPECT_EQ(read_draw_request(drawing("uniform", {{"low", -2}, {"high", -1}}, "bf16"), 0)->draw.c, -1 - 0x1p-7);
  EXPECT_LT(read_draw_request(drawing("uniform", {{"low", -1}, {"high", 0}}, "f16"), 0)->draw.c, 0);
  EXPECT_EQ(read_draw_request(drawing("uniform", {{"low", 0}, {"high", 10}}, "i32"), 0)->draw.c, 9);
}

TEST(DrawRequest, says_what_is_wrong) {
  EXPECT_FALSE(read_draw_request(drawing("sorted", Json::object()), 0));
  EXPECT_FALSE(read_draw_request(drawing("normal", Json::object(), "f31"), 0));
  EXPECT_FALSE(read_draw_request(drawing("normal", Json::object(), "f32", {{"count", -1}}), 0));
  EXPECT_FALSE(read_draw_request(drawing("normal", Json::object(), "f32", {{"key", "x"}}), 0));
  EXPECT_FALSE(read_draw_request(drawing("spd", Json::object()), 0));
  EXPECT_FALSE(read_draw_request(drawing("randint", {{"low", 5}, {"high", 5}}), 0));
  EXPECT_FALSE(read_draw_request(drawing("values", Json::object()), 0));
  EXPECT_FALSE(read_draw_request({{"name", "x"}, {"at", 4}, {"bytes", 8}}, 11));
  EXPECT_FALSE(read_draw_request({{"at", 0}, {"bytes", 8}}, 11));
  EXPECT_TRUE(read_draw_request({{"name", "x"}, {"at", 3}, {"bytes", 8}}, 11));
}

}  // namespace
}  // namespace kbx::clock
