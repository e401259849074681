// machine: calibrations by board, and whose peaks count.
#include "store/machine.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace kbx::store {
namespace {

namespace fs = std::filesystem;

struct Machines : testing::Test {
  fs::path dir = fs::temp_directory_path() / ("kbx_machine_" + std::to_string(::getpid()));
  MachineFiles files{dir / "cache", dir / "gpus.toml"};
  Machines() { fs::remove_all(dir), fs::create_directories(dir); }
  ~Machines() override { fs::remove_all(dir); }
  std::optional<Peaks> peaks(const std::string& name) {
    auto got = stated_peaks(files, {name, 0, 0});
    EXPECT_TRUE(got) << got.error().text();
    return got ? *got : std::nullopt;
  }
};

TEST_F(Machines, ACalibrationIsFoundByItsBoard) {
  EXPECT_FALSE(*load_calibration(files, "GPU-1"));
  Calibration c;
  c.gpu = "NVIDIA X";
  c.board = "GPU-1";
  c.copy_bandwidth = 4e12;
  auto path = save_calibration(files, c);
  ASSERT_TRUE(path) << path.error().text();
  EXPECT_EQ(path->filename(), "calibration-GPU-1.json");
  auto got = load_calibration(files, "GPU-1");
  ASSERT_TRUE(got && *got);
  EXPECT_EQ((*got)->copy_bandwidth, 4e12);
  EXPECT_FALSE(*load_calibration(files, "GPU-2"));
}

TEST_F(Machines, DamageIsAnErrorWithThePath) {
  fs::create_directories(files.cache);
  for (const char* text : {"{", "{}", "[1]"}) {
    std::ofstream(calibration_path(files, "GPU-1")) << text;
    auto got = load_calibration(files, "GPU-1");
    ASSERT_FALSE(got) << text;
    EXPECT_NE(got.error().text().find("calibration-GPU-1.json"), std::string::npos);
  }
}

TEST_F(Machines, ABoardsNameLeadsNowhereElse) { EXPECT_EQ(calibration_path(files, "../x/y").filename(), "calibration-___x_y.json"); }

TEST_F(Machines, WithoutAHomeNothingIsKept) {
  EXPECT_FALSE(save_calibration({}, Calibration()));
  EXPECT_FALSE(*load_calibration({}, "GPU-1"));
}

TEST_F(Machines, TheUserOverrulesTheDatasheet) {
  EXPECT_DOUBLE_EQ(*peaks("NVIDIA H200")->of("f16"), 989.4e12);
  EXPECT_FALSE(peaks("NVIDIA Unheard 1"));
  std::ofstream(files.gpus) << "[gpu.\"H200\"]\nf16 = 800\n[gpu.\"NVIDIA H200\"]\nbandwidth = 4700\n[gpu.\"NVIDIA Unheard 1\"]\nbandwidth = 100\n";
  auto h200 = peaks("NVIDIA H200");
  EXPECT_DOUBLE_EQ(*h200->of("f16"), 800e12);
  EXPECT_DOUBLE_EQ(*h200->of("tf32"), 494.7e12);
  EXPECT_DOUBLE_EQ(h200->bandwidth, 4700e9);
  EXPECT_EQ(h200->origin, Peaks::Origin::user);
  EXPECT_DOUBLE_EQ(peaks("NVIDIA Unheard 1")->bandwidth, 100e9);
  EXPECT_EQ(peaks("NVIDIA L20")->origin, Peaks::Origin::datasheet);
}

TEST_F(Machines, AWrongFileIsAnErrorAndNotIgnored) {
  std::ofstream(files.gpus) << "[gpu.\"A\"]\nf17 = 1\n";
  auto got = stated_peaks(files, {"NVIDIA H200", 0, 0});
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, Code::usage);
}

}  // namespace
}  // namespace kbx::store
