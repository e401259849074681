// The command `time`, end to end on the fake driver's scripted times.
#include "clock_child.h"

namespace kbx::clock {
namespace {

Json timed(ClockChild& c, const DeviceTape& candidate, const DeviceTape& reference, Json more = Json::object()) {
  EXPECT_EQ(get(load(c, candidate), "ok"), true);
  EXPECT_EQ(get(load(c, reference, "reference"), "ok"), true);
  draw(c, 0, 1);
  draw(c, 1, 2);
  Json command{{"do", "time"}, {"cap_ms", 3000}, {"outputs", Json::array({{{"name", "result"}, {"rtol", 1e-6}}})}};
  command.update(more);
  return c.ask(command);
}

TEST(Time, gives_the_ratio_of_two_sides_with_an_interval_around_it) {
  ClockChild c;
  Json t = timed(c, small_tape("scale_us50"), small_tape("scale_us100", kReferenceBase));
  ASSERT_EQ(get(t, "ok"), true) << t;
  EXPECT_EQ(get(t, "problem"), "");
  EXPECT_NEAR(get_double(t, "candidate_us").value_or(0), 51.5, 1);
  EXPECT_NEAR(get_double(t, "speedup").value_or(0), 1.98, 0.02);
  EXPECT_LE(get_double(t, "low").value_or(9), get_double(t, "speedup").value_or(0));
  EXPECT_GE(get_double(t, "high").value_or(0), get_double(t, "speedup").value_or(9));
  EXPECT_GE(get_int(t, "groups").value_or(0), 10);
  EXPECT_EQ(get(t, "launch_bound"), false);
  EXPECT_EQ(get(t, "inputs_intact"), true);
  EXPECT_EQ(get(get(t, "after")[0], "mismatches"), 0);
  EXPECT_EQ(get(get(t, "after")[0], "count"), kCount);
}

TEST(Time, says_when_a_side_is_as_short_as_the_clock_itself) {
  ClockChild c;
  EXPECT_EQ(get(timed(c, small_tape("scale_us3"), small_tape("scale_us3", kReferenceBase)), "launch_bound"), true);
}

TEST(Time, counts_spikes_and_leaves_them_out) {
  ClockChild c("spike=20");
  Json t = timed(c, small_tape("scale_us50"), small_tape("scale_us50", kReferenceBase));
  EXPECT_GT(get_int(t, "spikes").value_or(0), 0);
  EXPECT_NEAR(get_double(t, "speedup").value_or(0), 1, 0.01);
}

TEST(Time, waits_for_a_clock_that_dropped) {
  ClockChild c("low_from=40,low_to=48");
  Json t = timed(c, small_tape("scale_us50"), small_tape("scale_us50", kReferenceBase));
  EXPECT_GT(get_int(t, "gates").value_or(0), 0) << t;
  EXPECT_GT(get_int(t, "dropped_pairs").value_or(0), 0);
  EXPECT_GT(get_double(t, "wait_ms").value_or(0), 3);
  EXPECT_NEAR(get_double(t, "lowest_mhz").value_or(0), 1400, 5);
}

TEST(Time, repeats_and_notes_a_time_below_the_physical_floor) {
  ClockChild c;
  Json t = timed(c, small_tape("scale_us50"), small_tape("scale_us50", kReferenceBase), {{"bound_us", 500}});
  std::string notes = get(t, "notes").dump();
  EXPECT_NE(notes.find("repeated: below the physical floor"), std::string::npos);
}

TEST(Time, notes_when_little_memory_leaves_few_placements) {
  ClockChild c("free=3000000");
  Json t = timed(c, small_tape("scale_us50"), small_tape("scale_us50", kReferenceBase));
  EXPECT_NE(get(t, "notes").dump().find("fewer than 3 placements"), std::string::npos) << t;
}

TEST(Time, code_with_variables_of_its_own_is_loaded_afresh) {
  ClockChild c;
  Json loaded = load(c, small_tape("scale", kCandidateBase, {{".nv.global", SHT_NOBITS, 8}}));
  EXPECT_NE(get(loaded, "notes").dump().find("device globals"), std::string::npos);
}

TEST(Time, judges_what_the_last_run_left) {
  ClockChild c;
  Json t = timed(c, small_tape("copy_us50"), small_tape("scale_us50", kReferenceBase));
  EXPECT_GT(get_int(get(t, "after")[0], "mismatches").value_or(0), 0);
}

TEST(Time, one_side_alone_and_plain_launches) {
  ClockChild c;
  load(c, small_tape("scale_us50"));
  draw(c, 0);
  Json one = c.ask({{"do", "time_one"}, {"side", "candidate"}, {"cap_ms", 3000}});
  EXPECT_NEAR(get_double(one, "mean_us").value_or(0), 51.5, 1);
  EXPECT_NEAR(get_double(c.ask({{"do", "plain"}, {"side", "candidate"}, {"runs", 5}}), "median_us").value_or(0), 51.3, 1);
  EXPECT_EQ(get(c.ask({{"do", "bandwidth"}}), "ok"), true);
}

TEST(Time, fault_in_a_timed_run_names_its_side) {
  ClockChild c;
  Json t = timed(c, small_tape("scale_us50"), small_tape("illegal", kReferenceBase));
  EXPECT_EQ(fault_of(t), "device");
  EXPECT_EQ(get(t, "side"), "reference");
}

}  // namespace
}  // namespace kbx::clock
