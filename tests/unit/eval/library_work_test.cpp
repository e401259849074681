// Kernels of libraries on a tape against what a task allows.
#include "eval/library_work.h"

#include <gmock/gmock.h>

namespace kbx::eval {
namespace {

using ::testing::HasSubstr;

Task allowing(std::vector<std::string> ops, std::vector<std::string> forbidden = {}) {
  Task t;
  t.allowed_library_ops = std::move(ops);
  t.forbidden_library_ops = std::move(forbidden);
  return t;
}
DeviceReading aten(const std::string& kernel, int64_t blocks = 1) {
  DeviceReading r;
  r.work.push_back({"aten: " + kernel, kernel, true, blocks});
  return r;
}

constexpr const char* kRandom = "_ZN2at6native60_GLOBAL__N__2b2da9da_27_DistributionRandomKernel_cu_f88cee4443distribution_elementwise_grid_stride_kernelI";
constexpr const char* kExp = "_ZN2at6native29vectorized_elementwise_kernelILi4EZZZNS0_15exp_kernel_cudaERNS_18TensorIteratorBaseE";

TEST(LibraryWork, AKernelThatComputesIsNoHelpThatEveryTaskAllows) {
  Task t = allowing({"empty", "to", "copy_", "zeros"});
  auto c = library_charge(t, aten(kExp), "size large");
  ASSERT_TRUE(c);
  EXPECT_EQ(c->verdict, Verdict::delegated);
  EXPECT_THAT(c->explanation, HasSubstr("size large: kernels of libraries did part of the work on the card: aten: _ZN2at"));
  EXPECT_FALSE(library_charge(t, DeviceReading(), "size large"));
}

TEST(LibraryWork, AnAllowedOperatorHasItsKernels) {
  EXPECT_FALSE(library_charge(allowing({"random_"}), aten(kRandom), "case a"));
  EXPECT_TRUE(library_charge(allowing({"random_"}), aten(kRandom, 2), "case a")) << "more than a seed";
  EXPECT_TRUE(library_charge(allowing({"uniform_"}), aten(kRandom), "case a"));
  EXPECT_FALSE(library_charge(allowing({"sum"}), aten("_ZN2at6native13reduce_kernelILi512ELi1ENS0_8ReduceOpIlNS0_14func_wrapper_tIlZNS0_11sum_functorIlllE"), "case a"));
  EXPECT_TRUE(library_charge(allowing({"sum"}, {"sum"}), aten("sum_functor"), "case a"));
}

TEST(LibraryWork, NoOperatorAllowsAnotherLibrary) {
  DeviceReading r;
  r.work.push_back({"cublas", "sum_functor_gemm", false, 1});
  EXPECT_TRUE(library_charge(allowing({"sum"}), r, "case a"));
}

TEST(LibraryWork, ACopyIsWorkWhereCopyingIsTheTask) {
  DeviceReading r;
  r.copies = true;
  EXPECT_FALSE(copy_charge(allowing({"empty", "copy_"}), r, "case a"));
  EXPECT_TRUE(copy_charge(allowing({"empty"}, {"copy_", "slice"}), r, "case a"));
}

TEST(LibraryWork, TheOwnPartIsWithoutWhatIsNotAllowed) {
  DeviceTape tape;
  tape.images = {{DeviceImage::Kind::elf, DeviceImage::Via::module_data, "heap", Bytes(16)}, {DeviceImage::Kind::elf, DeviceImage::Via::library_data, "/x/libtorch_cuda.so", Bytes(16)}};
  for (const char* name : {"own", kRandom, kExp, "_ZN2at6native13FillFunctor"}) {
    DeviceFunction f;
    f.image = tape.functions.empty() ? 0 : 1;
    f.name = name;
    DeviceLaunch launch;
    launch.function = uint32_t(tape.functions.size());
    tape.functions.push_back(f);
    tape.entries.push_back(launch);
  }
  tape.entries.push_back(DeviceFill{});
  std::vector<uint32_t> left;
  DeviceTape own = own_part(allowing({"random_"}), tape);
  for (const DeviceEntry& e : own.entries)
    if (const auto* l = std::get_if<DeviceLaunch>(&e)) left.push_back(l->function);
  EXPECT_THAT(left, ::testing::ElementsAre(0, 1, 3));
  EXPECT_EQ(own.entries.size(), 4u);
}

}  // namespace
}  // namespace kbx::eval
