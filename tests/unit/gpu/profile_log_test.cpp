// ncu's CSV, its refusals, and tables that are none.
#include "gpu/profile_log.h"

#include <gmock/gmock.h>

namespace kbx::gpu {
namespace {

using ::testing::HasSubstr;

constexpr const char* kHeader =
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
    "\"dram__bytes_read.sum\",\"dram__bytes_write.sum\",\"gpu__time_duration.sum\",\"launch__registers_per_thread\",\"lts__t_sector_hit_rate.pct\","
    "\"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active\",\"sm__throughput.avg.pct_of_peak_sustained_elapsed\",\"sm__warps_active.avg.pct_of_peak_sustained_active\"\n";
constexpr const char* kUnits = "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"byte\",\"byte\",\"ns\",\"register/thread\",\"%\",\"%\",\"%\",\"%\"\n";

TEST(ProfileLog, ReadsALineALaunchWithItsUnits) {
  auto log = parse_profile_log(std::string("==PROF== Connected to process 42 (/x/kbx-clock)\n==PROF== Profiling \"matmul_kernel\" - 0: 0%....100% - 9 passes\n") + kHeader + kUnits +
                               "\"0\",\"42\",\"kbx-clock\",\"127.0.0.1\",\"matmul_kernel\",\"1\",\"7\",\"(256, 1, 1)\",\"(256, 1, 1)\",\"0\",\"9.0\",\"16,940,000\",\"1024.5\",\"27,600\",\"110\",\"71.25\",\"43.1\",\"51\",\"n/a\"\n");
  ASSERT_EQ(log.kernels.size(), 1u);
  const KernelProfile& k = log.kernels[0];
  EXPECT_EQ(k.kernel, "matmul_kernel");
  EXPECT_EQ(k.grid, "(256, 1, 1)");
  EXPECT_DOUBLE_EQ(*k.read_bytes, 16940000);
  EXPECT_DOUBLE_EQ(*k.written_bytes, 1024.5);
  EXPECT_DOUBLE_EQ(*k.us, 27.6);
  EXPECT_EQ(*k.registers, 110);
  EXPECT_DOUBLE_EQ(*k.l2_hits, 71.25);
  EXPECT_DOUBLE_EQ(*k.tensor, 43.1);
  EXPECT_FALSE(k.occupancy);
  EXPECT_EQ(log.trouble, "");
}

TEST(ProfileLog, OtherUnitsComeToTheSame) {
  auto log = parse_profile_log("\"ID\",\"Kernel Name\",\"dram__bytes_read.sum\",\"gpu__time_duration.sum\"\n\"\",\"\",\"Mbyte\",\"ms\"\n\"0\",\"k\",\"2.5\",\"3\"\n");
  ASSERT_EQ(log.kernels.size(), 1u);
  EXPECT_DOUBLE_EQ(*log.kernels[0].read_bytes, 2.5e6);
  EXPECT_DOUBLE_EQ(*log.kernels[0].us, 3000);
}

TEST(ProfileLog, SaysWhatToDoWhenTheDriverRefuses) {
  auto log = parse_profile_log("==PROF== Connected to process 42\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0.\n");
  EXPECT_TRUE(log.kernels.empty());
  EXPECT_THAT(log.trouble, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
}

TEST(ProfileLog, NoticesAMetricThatThisNcuHasNot) {
  auto log = parse_profile_log("==ERROR== Failed to find metric sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active\n");
  EXPECT_TRUE(log.unknown_metric);
  auto all = profile_metrics(false), certain = profile_metrics(true);
  EXPECT_EQ(all.size(), certain.size() + 1);
}

TEST(ProfileLog, NothingCountedIsSaid) {
  EXPECT_THAT(parse_profile_log("==WARNING== No kernels were profiled.\n").trouble, HasSubstr("no kernel"));
  EXPECT_THAT(parse_profile_log("").trouble, HasSubstr("no kernel"));
}

TEST(ProfileLog, IsBoundedWhateverItHolds) {
  std::string rows = kHeader;
  for (size_t k = 0; k < kMostProfiled + 500; k++) rows += "\"1\",\"k\"\n";
  EXPECT_EQ(parse_profile_log(rows).kernels.size(), kMostProfiled);
  auto odd = parse_profile_log("\"ID\",\"Kernel Name\"\n\"0\",\"a \"\"quoted\"\", name\x1b\"\n\"1\"\n\"2\",\"" + std::string(1 << 20, 'x') + "\n" + std::string(1 << 20, ',') + "\n");
  ASSERT_EQ(odd.kernels.size(), 3u);
  EXPECT_EQ(odd.kernels[0].kernel, "a \"quoted\", name?");
  EXPECT_LE(odd.kernels[2].kernel.size(), 300u);
}

}  // namespace
}  // namespace kbx::gpu
