// What a hostile worker may say of its results, and what becomes of it.
#include "sandbox/decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace kbx::sandbox {
namespace {

using testing::HasSubstr;

Json tensor(int64_t at, int64_t elements) {
  return {{"t", "tensor"}, {"dtype", "f32"}, {"shape", {elements}}, {"at", at}, {"bytes", 4 * elements}, {"device", "cuda"}};
}
Result<Value> decode(const Json& result) {
  auto arena = Arena::create(4096, 8192);
  std::vector<std::string> aliases;
  return decode_result(result, *arena, true, aliases);
}
std::string refusal(const Json& result) {
  auto value = decode(result);
  return value ? "accepted" : value.error().message;
}

TEST(DecodeResult, TensorsThatFillTheAreaTogetherAreAccepted) {
  auto value = decode({{"t", "list"}, {"v", {tensor(4096, 1024), tensor(8192, 1024)}}});
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(value->items[1].tensor.storage->size(), 4096u);
}
TEST(DecodeResult, OnePlaceNamedManyTimesCannotMultiplyTheArena) {
  Json item = tensor(4096, 2048);
  EXPECT_EQ(refusal({{"t", "list"}, {"v", {item}}}), "accepted");
  EXPECT_THAT(refusal({{"t", "list"}, {"v", {item, item}}}), HasSubstr("larger together than the result area"));
}
TEST(DecodeResult, APlaceOutsideTheAreaIsRefusedWhateverTheNumbers) {
  for (int64_t at : {int64_t{0}, int64_t{4095}, int64_t{4096 + 8192}, std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()})
    EXPECT_THAT(refusal(tensor(at, 8)), HasSubstr("outside the result area")) << at;
}
TEST(DecodeResult, AShapeWhoseSizeOverflowsIsRefused) {
  Json j = tensor(4096, 1);
  j["shape"] = {int64_t{1} << 40, int64_t{1} << 40};
  EXPECT_THAT(refusal(j), HasSubstr("impossible shape"));
}

}  // namespace
}  // namespace kbx::sandbox
