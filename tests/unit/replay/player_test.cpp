// replay: a tape of launches, fills and copies is played on whatever inputs lie in the arena; a tape that cannot be played
// is refused in words.
#include <gtest/gtest.h>

#include <cstring>

#include "base/files.h"
#include "replay/player.h"

namespace kbx::replay {
namespace {

constexpr size_t kElements = 100;

// y = x0 + x1 by the kernel `add` of the machine's fixtures, then copied as float64.
class AddTape : public testing::Test {
 protected:
  void SetUp() override {
    auto text = read_file(std::string(KBX_SOURCE_DIR) + "/tests/ir/fixtures/bench_add.ttir");
    ASSERT_TRUE(text);
    images_.add(std::string(64, '0'), *text);
    tape_.images = {std::string(64, '0')};
    int64_t bytes = kElements * 4;
    tape_.buffers = {{TapeBuffer::Origin::input, bytes, 0, false, {}}, {TapeBuffer::Origin::input, bytes, bytes, false, {}}, {TapeBuffer::Origin::fresh, bytes, 0, false, {}},
                     {TapeBuffer::Origin::fresh, bytes * 2, 0, false, {}}};
    TapeLaunch launch;
    launch.arguments = {{0, 0, 4, 0}, {1, 0, 4, 0}, {2, 0, 4, 0}, {-1, 0, 4, kElements}};
    launch.writes = {2};
    TapeView wide{3, Dtype::f64, 0, {kElements}, {1}}, sum{2, Dtype::f32, 0, {kElements}, {1}};
    tape_.entries = {launch, TapeCopy{wide, sum}};
    tape_.outputs = {wide};
    for (size_t k = 0; k < 2 * kElements; k++) inputs_.push_back(float(k));
  }
  Result<std::vector<double>> play(PlayOptions options = {}) {
    Player player(tape_, images_, reinterpret_cast<uint8_t*>(inputs_.data()), int64_t(inputs_.size() * 4));
    KBX_TRY(player.play(options));
    std::vector<double> out(kElements, 0.0);
    player.output(tape_.outputs[0], reinterpret_cast<uint8_t*>(out.data()));
    return out;
  }
  Tape tape_;
  Images images_;
  std::vector<float> inputs_;
};

TEST_F(AddTape, PlaysOnTheInputsThatThereAre) {
  auto first = play();
  ASSERT_TRUE(first) << first.error().text();
  EXPECT_EQ((*first)[7], 7 + 107);
  for (float& x : inputs_) x = -x;
  auto second = play();
  ASSERT_TRUE(second);
  EXPECT_EQ((*second)[7], -(7 + 107));
}

TEST_F(AddTape, WithoutTheLaunchTheOutputIsNeitherTheRecordingsPoisonNorTrue) {
  tape_.entries.erase(tape_.entries.begin());
  auto out = play();
  ASSERT_TRUE(out);
  EXPECT_TRUE(std::isfinite((*out)[0]));
  EXPECT_GT((*out)[0], 1e6);
  tape_.buffers[3] = {TapeBuffer::Origin::fresh, kElements, 0, true, {}};
  tape_.entries.clear();
  tape_.outputs = {TapeView{3, Dtype::boolean, 0, {kElements}, {1}}};
  auto bools = play();
  ASSERT_TRUE(bools);
  EXPECT_EQ((*bools)[0], 0);  // all of the first bytes are false
}

TEST_F(AddTape, FillsAndConstants) {
  float three = 3;
  Bytes element(4);
  std::memcpy(element.data(), &three, 4);
  tape_.buffers[0].origin = TapeBuffer::Origin::uniform;
  tape_.buffers[0].data = element;
  tape_.entries.insert(tape_.entries.begin(), TapeFill{{1, Dtype::f32, 1, {2}, {1}}, element});
  auto out = play();
  ASSERT_TRUE(out);
  EXPECT_EQ((*out)[0], 3 + 100);
  EXPECT_EQ((*out)[1], 3 + 3);
  EXPECT_EQ((*out)[2], 3 + 3);
  EXPECT_EQ((*out)[3], 3 + 103);
}

TEST_F(AddTape, AStrayAddressReadsNothingAndWritesNothing) {
  std::get<TapeLaunch>(tape_.entries[0]).arguments[1].offset = int64_t(1) << 40;
  auto out = play();
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_EQ((*out)[5], 5);  // a load outside gives 0
}

TEST_F(AddTape, RefusesInWords) {
  struct Case {
    const char* says;
    void (*change)(Tape&);
  };
  const Case cases[] = {
      {"outside the call's inputs", [](Tape& t) { t.buffers[1].at = 1 << 30; }},
      {"did not come with it", [](Tape& t) { t.images[0] = std::string(64, 'f'); }},
      {"impossible size", [](Tape& t) { std::get<TapeLaunch>(t.entries[0]).grid[0] = int64_t(1) << 40; }},
      {"argument", [](Tape& t) { std::get<TapeLaunch>(t.entries[0]).arguments.pop_back(); }},
      {"complex", [](Tape& t) { std::get<TapeCopy>(t.entries[1]).to = {3, Dtype::c64, 0, {kElements}, {1}}; }},
  };
  for (const Case& c : cases) {
    Tape whole = tape_;
    c.change(tape_);
    auto out = play();
    ASSERT_FALSE(out) << c.says;
    EXPECT_NE(out.error().message.find(c.says), std::string::npos) << out.error().message;
    tape_ = whole;
  }
}

TEST_F(AddTape, TheTimeIsOfAllLaunchesTogether) {
  auto out = play({1, 0});
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().message.find("used up"), std::string::npos);
}

}  // namespace
}  // namespace kbx::replay
