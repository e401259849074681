// Loading, playing and comparing, end to end through kbx-clock's socket, on the fake driver.
#include "clock_child.h"

namespace kbx::clock {
namespace {

TEST(Play, says_hello_with_the_card_and_its_floors) {
  ClockChild c;
  const Json& hello = get(c.hello, "hello");
  EXPECT_EQ(get(hello, "protocol"), kClockProtocol);
  EXPECT_EQ(get(get(hello, "device"), "name"), "Fake GPU");
  EXPECT_GT(get_double(get(hello, "floor_us"), "kernel").value_or(0), get_double(get(hello, "floor_us"), "nothing").value_or(9));
}

TEST(Play, gives_the_outputs_of_the_tape_on_inputs_that_it_never_saw) {
  ClockChild c;
  ASSERT_EQ(get(load(c, small_tape("scale")), "ok"), true);
  Bytes given(kCount * 4);
  for (int64_t k = 0; k < kCount; k++) {
    auto x = float(k);
    std::memcpy(given.data() + k * 4, &x, 4);
  }
  Json one{{"name", "input"}, {"at", 0}, {"bytes", given.size()}};
  ASSERT_EQ(get(c.ask({{"do", "inputs"}, {"set", 3}, {"inputs", Json::array({one})}}, given), "ok"), true);
  Json answer = c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 3}});
  ASSERT_EQ(get(answer, "ok"), true) << answer;
  ASSERT_EQ(c.floats().size(), size_t(kCount));
  EXPECT_EQ(c.floats()[7], 14);
  EXPECT_EQ(get(answer, "guard_words"), 0);
  EXPECT_EQ(get(get(answer, "outputs")[0], "dtype"), "f32");
}

TEST(Play, an_empty_input_needs_no_bytes) {
  ClockChild c;
  DeviceTape t = small_tape("scale");
  DeviceTensor empty = t.inputs[0];
  empty.name = "empty";
  empty.shape = {0, 3};
  empty.stride = {3, 1};
  empty.storage.bytes = 0;
  t.inputs.push_back(empty);
  ASSERT_EQ(get(load(c, t), "ok"), true);
  draw(c, 0);
  Json answer = c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}});
  EXPECT_EQ(get(answer, "ok"), true) << answer;
}

TEST(Play, reads_the_inputs_that_it_has_drawn) {
  ClockChild c;
  ASSERT_EQ(get(load(c, small_tape("scale")), "ok"), true);
  draw(c, 1);
  ASSERT_EQ(get(c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 1}}), "ok"), true);
  std::vector<float> doubled = c.floats();
  Json answer = c.ask({{"do", "read"}, {"set", 1}});
  ASSERT_EQ(get(answer, "ok"), true) << answer;
  EXPECT_EQ(get(answer, "inputs"), Json::array({{{"name", "input"}, {"at", 0}, {"bytes", kCount * 4}}}));
  std::vector<float> read = c.floats();
  ASSERT_EQ(read.size(), doubled.size());
  for (size_t k = 0; k < read.size(); k++) EXPECT_EQ(2 * read[k], doubled[k]);
  EXPECT_NE(read[0], read[1]);
  EXPECT_EQ(get(c.ask({{"do", "read"}, {"set", 2}}), "ok"), false);
}

TEST(Play, leaves_poison_where_the_tape_wrote_nothing) {
  ClockChild c;
  load(c, small_tape("nothing"));
  draw(c, 0);
  ASSERT_EQ(get(c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}}), "ok"), true);
  uint32_t word = 0;
  std::memcpy(&word, c.blob.data() + 40, 4);
  EXPECT_EQ(word, 0x7fff7fffu);
}

TEST(Play, counts_words_outside_every_allocation_and_says_where) {
  ClockChild c;
  load(c, small_tape("overrun"));
  draw(c, 0);
  Json answer = c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}});
  EXPECT_EQ(get(answer, "guard_words"), 24);
  EXPECT_EQ(get(answer, "guard_at"), "16 bytes past result");
}

TEST(Play, gathers_a_strided_output_row_major) {
  ClockChild c;
  DeviceTape t = small_tape("scale");
  t.outputs[0].shape = {2, 3};
  t.outputs[0].stride = {1, 2};
  t.outputs[0].offset = 4;
  load(c, t);
  Bytes given(kCount * 4);
  for (int64_t k = 0; k < kCount; k++) {
    auto x = float(k);
    std::memcpy(given.data() + k * 4, &x, 4);
  }
  c.ask({{"do", "inputs"}, {"set", 0}, {"inputs", Json::array({{{"name", "input"}, {"at", 0}, {"bytes", given.size()}}})}}, given);
  c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}});
  EXPECT_EQ(c.floats(), (std::vector<float>{8, 12, 16, 10, 14, 18}));
}

TEST(Verify, finds_equal_sides_equal_and_others_not) {
  ClockChild c;
  load(c, small_tape("scale"));
  load(c, small_tape("scale", kReferenceBase), "reference");
  draw(c, 0);
  Json answer = verify(c);
  ASSERT_EQ(get(answer, "ok"), true) << answer;
  EXPECT_EQ(get(get(answer, "outputs")[0], "mismatches"), 0);
  EXPECT_EQ(get(get(answer, "outputs")[0], "count"), kCount);
  EXPECT_GT(get_double(get(answer, "outputs")[0], "rms_reference").value_or(0), 1.5);
  load(c, small_tape("copy"));
  EXPECT_GT(get_int(get(verify(c), "outputs")[0], "mismatches").value_or(0), kCount - 10);
}

TEST(Verify, plays_the_candidate_while_the_references_outputs_are_poison) {
  ClockChild c;
  // A candidate that knows the reference's address and copies its output.
  DeviceTape thief = small_tape("copy");
  uint64_t from = kReferenceBase + (16 << 10);
  std::memcpy(std::get<DeviceLaunch>(thief.entries[0]).parameters.data(), &from, 8);
  load(c, thief);
  load(c, small_tape("scale", kReferenceBase), "reference");
  draw(c, 0);
  verify(c);
  Json again = verify(c);  // the reference's results of the first time must be gone
  EXPECT_EQ(get(get(again, "outputs")[0], "mismatches"), kCount);
  EXPECT_EQ(get(get(again, "outputs")[0], "nan"), kCount);
}

TEST(Verify, names_outputs_that_cannot_be_compared) {
  ClockChild c;
  DeviceTape other = small_tape("scale", kReferenceBase);
  other.outputs[0].shape = {kCount / 2};
  load(c, small_tape("scale"));
  load(c, other, "reference");
  draw(c, 0);
  EXPECT_EQ(get(get(verify(c), "outputs")[0], "problem"), "another shape than the reference's");
}

TEST(Play, restores_constants_before_every_play) {
  ClockChild c;
  DeviceTape t = small_tape("stateful");  // right only where word count + 64 of its output is not 1
  t.constants.push_back({kCandidateBase + (16 << 10) + (kCount + 64) * 4, Bytes(4)});
  load(c, t);
  draw(c, 0);
  for (int k = 0; k < 2; k++) {
    c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}});
    EXPECT_NE(c.floats()[5], 0) << k;
  }
}

TEST(Play, memory_that_a_tape_calls_a_large_input_is_poisoned_all_the_same) {
  ClockChild c;
  DeviceTape t = small_tape("stateful");
  t.inputs[0].storage.bytes = 60 << 10;  // over the scratch word, too
  load(c, t);
  draw(c, 0);
  for (int k = 0; k < 2; k++) {
    c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}});
    EXPECT_NE(c.floats()[5], 0) << k;
  }
}

}  // namespace
}  // namespace kbx::clock
