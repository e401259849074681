// model: a tape's JSON is the same tape again; a malformed one is refused with the place, never read past its bounds.
#include <gtest/gtest.h>

#include "model/tape_json.h"

namespace kbx {
namespace {

Tape small_tape() {
  Tape t;
  t.buffers.resize(4);
  t.buffers[0] = {TapeBuffer::Origin::input, 16, 256, false, {}};
  t.buffers[1] = {TapeBuffer::Origin::fresh, 8, 0, true, {}};
  t.buffers[2] = {TapeBuffer::Origin::constant, 3, 0, false, {std::byte{1}, std::byte{2}, std::byte{255}}};
  t.buffers[3] = {TapeBuffer::Origin::uniform, 12, 0, false, Bytes(4, std::byte{7})};
  t.images = {std::string(64, 'a')};
  TapeLaunch launch;
  launch.grid = {3, 2, 1};
  launch.arguments = {{0, -4, 4, 0}, {-1, 0, 4, 0x8000000000000001u}};
  launch.writes = {1};
  t.entries = {launch, TapeCopy{{1, Dtype::f16, 0, {2, 2}, {2, 1}}, {0, Dtype::f32, 0, {2, 2}, {0, 1}}},
               TapeFill{{1, Dtype::u8, 1, {7}, {1}}, Bytes(1, std::byte{9})}, TapeData{2, Bytes(3, std::byte{5})}, TapeOperator{"exp", {0}, {1}}, TapeHostRead{0}};
  t.outputs = {{1, Dtype::boolean, 0, {8}, {1}}};
  return t;
}

Json edited(const char* path, Json value) {
  Json j = tape_to_json(small_tape());
  j[Json::json_pointer(path)] = std::move(value);
  return j;
}

TEST(TapeJson, IsTheSameTapeAgain) {
  Json j = tape_to_json(small_tape());
  auto again = tape_from_json(*parse_json(dump_json(j)));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(dump_json(tape_to_json(*again)), dump_json(j));
  EXPECT_EQ(again->launches(), 1u);
  const auto& launch = std::get<TapeLaunch>(again->entries[0]);
  EXPECT_EQ(launch.arguments[1].bits, 0x8000000000000001u);
  EXPECT_EQ(launch.arguments[0].offset, -4);
}

TEST(TapeJson, RefusesWhatPointsOutside) {
  struct Case {
    const char* path;
    Json value;
    const char* says;
  };
  const Case cases[] = {
      {"/entries/0/launch", 1, "no image"},
      {"/entries/0/launch", -1, "no image"},
      {"/entries/0/args/0/0", 4, "no buffer"},
      {"/entries/0/args/0/2", 3, "element of impossible size"},
      {"/entries/0/writes", Json::array({9}), "no buffer"},
      {"/entries/1/copy/2", 1, "outside its buffer"},
      {"/entries/1/copy/4", Json::array({-1, 1}), "outside its buffer"},
      {"/entries/1/from/3", Json::array({2, 1}), "different shapes"},
      {"/entries/1/from/3", Json::array({int64_t(1) << 62, 4}), "impossible size"},
      {"/entries/2/element", "AAA=", "another size"},
      {"/entries/2/element", "!", "base64"},
      {"/entries/3/data", "AA==", "another size"},
      {"/entries/4/reads", 3, "list of buffers"},
      {"/entries/5/host", "x", "no buffer"},
      {"/buffers/0/bytes", -1, "impossible size"},
      {"/buffers/0/bytes", int64_t(1) << 40, "impossible size"},
      {"/buffers/0/origin", "heaven", "unknown origin"},
      {"/buffers/2/bytes", 4, "another size"},
      {"/images/0", "short", "no hash"},
      {"/outputs/0/3", Json::array({9}), "outside its buffer"},
      {"/outputs", 1, "no list"},
  };
  for (const Case& c : cases) {
    auto tape = tape_from_json(edited(c.path, c.value));
    ASSERT_FALSE(tape) << c.path;
    EXPECT_NE(tape.error().message.find(c.says), std::string::npos) << c.path << ": " << tape.error().message;
  }
  EXPECT_FALSE(tape_from_json(Json(3)));
  EXPECT_FALSE(tape_from_json(Json::object()));
}

TEST(TapeView, FitsByItsLastElement) {
  EXPECT_TRUE(view_fits({0, Dtype::f32, 1, {3}, {1}}, 16));
  EXPECT_FALSE(view_fits({0, Dtype::f32, 2, {3}, {1}}, 16));
  EXPECT_TRUE(view_fits({0, Dtype::f32, 3, {1000}, {0}}, 16));
  EXPECT_TRUE(view_fits({0, Dtype::f32, 99, {0, 5}, {1, 1}}, 16));  // no element
  EXPECT_FALSE(view_fits({0, Dtype::f32, 0, {2, 2}, {1}}, 16));     // a stride is missing
  EXPECT_FALSE(view_fits({0, Dtype::f32, 0, {int64_t(1) << 62, 8}, {int64_t(1) << 62, 1}}, 16));
}

}  // namespace
}  // namespace kbx
