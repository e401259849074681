// peaks: what users state of cards, and calibrations as JSON.
#include "model/peaks.h"

#include <gtest/gtest.h>

#include "model/calibration.h"

namespace kbx {
namespace {

std::string error_of(std::string_view text) {
  auto got = parse_user_peaks(text, "gpus.toml");
  return got ? "" : got.error().message;
}

TEST(UserPeaks, AreReadInTheUnitsOfDatasheets) {
  auto got = parse_user_peaks("# mine\n[gpu.\"NVIDIA RTX #1\"]  # a name with a #\nbandwidth = 960\nf16=209.5\n\n[gpu.\"B\"]\r\n f8 = 1e3 # tera\n", "gpus.toml");
  ASSERT_TRUE(got) << got.error().text();
  ASSERT_EQ(got->size(), 2u);
  EXPECT_EQ((*got)[0].name, "NVIDIA RTX #1");
  EXPECT_DOUBLE_EQ((*got)[0].bandwidth, 960e9);
  EXPECT_DOUBLE_EQ(*(*got)[0].of("f16"), 209.5e12);
  EXPECT_FALSE((*got)[0].of("f8"));
  EXPECT_DOUBLE_EQ(*(*got)[1].of("f8"), 1e15);
  EXPECT_EQ((*got)[1].bandwidth, 0);
  EXPECT_EQ((*got)[1].origin, Peaks::Origin::user);
}

TEST(UserPeaks, ErrorsNameTheLine) {
  EXPECT_EQ(error_of("\nbandwidth = 1\n"), "gpus.toml:2: a number before the first [gpu.\"NAME\"]");
  EXPECT_EQ(error_of("[gpu.\"A\"]\nf17 = 1\n"), "gpus.toml:2: unknown name f17; known: bandwidth, f64, f32, tf32, f16, bf16, f8, i8");
  for (const char* bad : {"f16 = -1", "f16 = 0", "f16 = nan", "f16 = inf", "f16 = 1x", "f16 =", "f16"})
    EXPECT_EQ(error_of(std::string("[gpu.\"A\"]\n") + bad).substr(0, 12), "gpus.toml:2:") << bad;
  for (const char* bad : {"[gpu.A]", "[gpu.\"\"]", "[gpu.\"A\"", "[cpu.\"A\"]", "[gpu.\"A\\\"B\"]"})
    EXPECT_EQ(error_of(bad).substr(0, 12), "gpus.toml:1:") << bad;
  EXPECT_EQ(error_of("[gpu.\"A\"]\n[gpu.\"A\"]"), "gpus.toml:2: the card A stands here twice");
}

TEST(UserPeaks, LieOverTheDatasheet) {
  auto user = parse_user_peaks("[gpu.\"NVIDIA H200\"]\nf16 = 800\n", "gpus.toml");
  ASSERT_TRUE(user);
  Peaks both = overlaid(peaks_of(*find_gpu("H200")), user->front());
  EXPECT_DOUBLE_EQ(*both.of("f16"), 800e12);
  EXPECT_DOUBLE_EQ(*both.of("bf16"), 989.4e12);
  EXPECT_DOUBLE_EQ(both.bandwidth, 4.8e12);
  EXPECT_EQ(both.origin, Peaks::Origin::user);
  Peaks alone = overlaid(Peaks(), user->front());
  EXPECT_EQ(alone.name, "NVIDIA H200");
  EXPECT_EQ(alone.bandwidth, 0);
}

TEST(PeaksOrigins, HaveTextAndBack) {
  for (auto o : {Peaks::Origin::datasheet, Peaks::Origin::user, Peaks::Origin::calibrated}) EXPECT_EQ(peaks_origin_from_text(to_text(o)), o);
  EXPECT_FALSE(peaks_origin_from_text("guessed"));
}

TEST(Calibrations, ComeBackFromJson) {
  Calibration c{"NVIDIA X", "GPU-1-2", "580.1", "2030-01-02T03:04:05Z", 3.9e12, 4.1e12, {}, {{"copy", "words"}}};
  c.matmul[size_t(Unit::f16)] = 700e12;
  auto got = calibration_from(*parse_json(dump_json(calibration_json(c))));
  ASSERT_TRUE(got) << got.error().text();
  EXPECT_EQ(got->gpu, c.gpu);
  EXPECT_EQ(got->board, c.board);
  EXPECT_EQ(got->driver, c.driver);
  EXPECT_EQ(got->date, c.date);
  EXPECT_EQ(got->copy_bandwidth, 3.9e12);
  EXPECT_EQ(got->matmul, c.matmul);
  EXPECT_EQ(got->methods, c.methods);
  EXPECT_EQ(peaks_of(*got).bandwidth, 4.1e12);  // the larger of the two
  EXPECT_EQ(peaks_of(*got).of("f16"), 700e12);
}

TEST(Calibrations, StrangersAreRefusedAndNonsenseIsNotMeasured) {
  EXPECT_FALSE(calibration_from(Json::array()));
  EXPECT_FALSE(calibration_from(Json{{"gpu", "X"}}));
  EXPECT_FALSE(calibration_from(Json{{"kind", "kbx calibration"}}));
  auto got = calibration_from(Json{{"kind", "kbx calibration"}, {"gpu", "X"}, {"copy_bandwidth", -1}, {"read_bandwidth", "fast"}, {"matmul", {{"f16", 0}, {"f9", 1}}}});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->copy_bandwidth, 0);
  EXPECT_EQ(got->read_bandwidth, 0);
  EXPECT_FALSE(got->matmul[size_t(Unit::f16)]);
}

}  // namespace
}  // namespace kbx
