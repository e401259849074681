// eval: what a tape says before it is played: what cannot be played and would reach a result, and where the host looked.
#include <gtest/gtest.h>

#include "eval/tape_reading.h"

namespace kbx::eval {
namespace {

// Buffers: 0 input, 1 constant, 2 .. fresh; the result is buffer `output`.
Tape tape_of(std::vector<TapeEntry> entries, int32_t output) {
  Tape t;
  t.buffers.resize(6);
  for (TapeBuffer& b : t.buffers) b.bytes = 4;
  t.buffers[0].origin = TapeBuffer::Origin::input;
  t.buffers[1].origin = TapeBuffer::Origin::constant;
  t.images = {std::string(64, 'a')};
  t.entries = std::move(entries);
  t.outputs = {{output, Dtype::f32, 0, {1}, {1}}};
  return t;
}
TapeLaunch launch(std::vector<int32_t> reads, std::vector<int32_t> writes) {
  TapeLaunch e;
  for (int32_t b : reads) e.arguments.push_back({b, 0, 4, 0});
  for (int32_t b : writes) e.arguments.push_back({b, 0, 4, 0});
  e.writes = writes;
  return e;
}
TapeCopy copy(int32_t from, int32_t to) { return {{to, Dtype::f32, 0, {1}, {1}}, {from, Dtype::f32, 0, {1}, {1}}}; }

TEST(TapeReading, LaunchesAndCopiesArePlayable) {
  auto r = read_tape(tape_of({launch({0}, {2}), copy(2, 3)}, 3));
  EXPECT_TRUE(r.playable);
  EXPECT_FALSE(r.host_dependent);
  EXPECT_FALSE(r.uses_constants);
}

TEST(TapeReading, AnOperatorMattersOnlyWhereItReachesAResult) {
  TapeOperator exp{"exp", {0}, {3}};
  EXPECT_TRUE(read_tape(tape_of({exp, launch({0}, {2})}, 2)).playable);
  auto direct = read_tape(tape_of({launch({0}, {2}), exp}, 3));
  EXPECT_FALSE(direct.playable);
  EXPECT_EQ(direct.operators, std::vector<std::string>{"exp"});
  EXPECT_EQ(direct.why_not, "the result needs exp");
  EXPECT_FALSE(read_tape(tape_of({exp, launch({3}, {2}), copy(2, 4)}, 4)).playable);  // through a launch and a copy
  EXPECT_FALSE(read_tape(tape_of({TapeOperator{"add_", {0, 2}, {0}}, launch({2}, {3})}, 3)).playable);  // an argument changed
}

TEST(TapeReading, EveryOperatorIsNamedWhetherItReachesAResultOrNot) {
  EXPECT_EQ(operators_of(tape_of({TapeOperator{"exp", {0}, {3}}, launch({0}, {2}), TapeOperator{"sqrt", {3}, {4}}}, 2)), (std::vector<std::string>{"exp", "sqrt"}));
  EXPECT_TRUE(operators_of(tape_of({launch({0}, {2}), copy(2, 3)}, 3)).empty());
}

TEST(TapeReading, LaterDataMakesABufferKnownAgain) {
  TapeOperator exp{"exp", {0}, {3}};
  EXPECT_TRUE(read_tape(tape_of({exp, TapeData{3, Bytes(4)}}, 3)).playable);
}

TEST(TapeReading, TheHostMayReadWhatDoesNotDependOnTheInputs) {
  EXPECT_FALSE(read_tape(tape_of({TapeHostRead{1}, launch({0}, {2})}, 2)).host_dependent);
  EXPECT_TRUE(read_tape(tape_of({TapeHostRead{0}, launch({0}, {2})}, 2)).host_dependent);
  EXPECT_TRUE(read_tape(tape_of({launch({0}, {2}), TapeHostRead{2}}, 2)).host_dependent);
}

TEST(TapeReading, FlagsOfARecord) {
  auto flags = [](const Tape& t) { return tape_flags(t, read_tape(t)); };
  using Words = std::vector<std::string>;
  EXPECT_EQ(flags(tape_of({launch({0}, {2})}, 2)), Words{});
  EXPECT_EQ(flags(tape_of({}, 2)), Words{"tape: empty"});
  EXPECT_EQ(flags(tape_of({TapeHostRead{0}, launch({0, 1}, {2})}, 2)), (Words{"tape: host read", "tape: constants"}));
  EXPECT_EQ(flags(tape_of({TapeOperator{"mul", {0}, {3}}, TapeOperator{"exp", {3}, {2}}}, 2)), (Words{"tape: empty", "tape: operators exp, mul"}));
}

TEST(TapeReading, ConstantsAndTroubleAreSaid) {
  EXPECT_TRUE(read_tape(tape_of({launch({0, 1}, {2})}, 2)).uses_constants);
  Tape t = tape_of({}, 2);
  t.trouble = "a storage changed its size";
  EXPECT_FALSE(read_tape(t).playable);
  EXPECT_EQ(read_tape(t).why_not, t.trouble);
}

}  // namespace
}  // namespace kbx::eval
