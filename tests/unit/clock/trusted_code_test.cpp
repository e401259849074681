// The trusted device code compiles for every architecture, with the NVRTC of the test environment; skipped loudly
// without one (pip install nvidia-cuda-nvrtc-cu12, or KBX_NVRTC=path of libnvrtc.so).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "base/files.h"
#include "clock/kernels.h"
#include "cuda/elf_image.h"
#include "cuda/nvrtc.h"

namespace kbx::clock {
namespace {

namespace fs = std::filesystem;

std::string find_nvrtc() {
  if (const char* named = std::getenv("KBX_NVRTC")) return named;
  std::error_code ignored;
  for (const auto& python : fs::directory_iterator(KBX_SOURCE_DIR "/.venv/lib", ignored))
    for (const char* at : {"cuda_nvrtc/lib/libnvrtc.so.12", "cu13/lib/libnvrtc.so.13"})
      if (fs::path p = python.path() / "site-packages/nvidia" / at; fs::exists(p)) return p;
  return "";
}

class TrustedCode : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    source_.nvrtc = find_nvrtc();
    if (!cuda::Nvrtc::load(source_.nvrtc)) GTEST_SKIP() << "NO NVRTC HERE: the trusted device code is NOT compiled by this run";
  }
  KernelSource source_;
};

TEST_P(TrustedCode, compiles) {
  std::string version;
  auto code = trusted_cubin(source_, GetParam(), &version);
  ASSERT_TRUE(code) << code.error().text();
  EXPECT_EQ(code->substr(0, 4), "\177ELF");
}
INSTANTIATE_TEST_SUITE_P(Sm, TrustedCode, testing::Values(80, 86, 89, 90, 100, 120), testing::PrintToStringParamName());

TEST_F(TrustedCode, is_kept_and_made_anew_when_its_entry_is_broken) {
  fs::path folder = fs::temp_directory_path() / ("kbx-cache-" + std::to_string(::getpid()));
  source_.cache = folder / "deep";
  std::string version;
  auto first = trusted_cubin(source_, 90, &version);
  ASSERT_TRUE(first) << first.error().text();
  auto entry = fs::directory_iterator(source_.cache)->path();
  auto kept = read_file(entry);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->substr(64), *first);
  std::ofstream(entry, std::ios::trunc) << kept->substr(0, kept->size() / 2);
  auto again = trusted_cubin(source_, 90, &version);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->size(), first->size());
  EXPECT_EQ(read_file(entry)->size(), kept->size());
  fs::remove_all(folder);
}

// What the reader of images must take: real machine code with shared memory, local memory, constants and variables.
TEST_P(TrustedCode, real_machine_code_is_read_with_its_variables) {
  auto nvrtc = cuda::Nvrtc::load(source_.nvrtc);
  auto globals_of = [&](const std::string& source) {
    auto code = nvrtc->compile("some.cu", source, {}, {"--gpu-architecture=sm_" + std::to_string(GetParam())});
    EXPECT_TRUE(code) << code.error().message;
    if (!code) return std::vector<cuda::ElfGlobals>();
    auto globals = cuda::read_elf_globals(reinterpret_cast<const std::byte*>(code->data()), code->size());
    EXPECT_TRUE(globals) << globals.error().message;
    return globals ? *globals : std::vector<cuda::ElfGlobals>();
  };
  std::string body = "extern \"C\" __global__ void k(int* p, int n) { __shared__ int s[256]; int big[200]; for (int i = 0; i < n; i++) big[i] = p[i];"
                     " s[threadIdx.x] = big[p[0]] + c[n]; __syncthreads(); p[1] = s[n]; ";
  std::string plain = "__constant__ int c[40]; " + body + "}";
  EXPECT_TRUE(globals_of(plain).empty());
  auto zero = globals_of("__device__ int g[100]; " + plain.substr(0, plain.size() - 1) + "g[n]++; }");
  ASSERT_EQ(zero.size(), 1u);
  EXPECT_EQ(zero[0].bytes, 400u);
  ASSERT_FALSE(zero[0].symbols.empty());
  EXPECT_EQ(zero[0].symbols[0].name, "g");
  EXPECT_FALSE(cuda::only_compilers_strings(zero));
  auto seven = globals_of("__device__ int g = 7; " + plain.substr(0, plain.size() - 1) + "g += n; }");
  ASSERT_EQ(seven.size(), 1u);
  EXPECT_EQ(seven[0].initial, std::string("\7\0\0\0", 4));
}

TEST_F(TrustedCode, mistakes_are_told_with_the_compilers_words) {
  auto nvrtc = cuda::Nvrtc::load(source_.nvrtc);
  auto code = nvrtc->compile("wrong.cu", "__global__ void k() { undeclared = 1; }", {}, {"--gpu-architecture=sm_90"});
  ASSERT_FALSE(code);
  EXPECT_NE(code.error().message.find("undeclared"), std::string::npos);
}

}  // namespace
}  // namespace kbx::clock
