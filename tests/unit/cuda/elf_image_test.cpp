// The reader of machine code, on files that are whole and on every way to break them.
#include "cuda/elf_image.h"

#include <gtest/gtest.h>

#include "../clock/small_elf.h"

namespace kbx::cuda {
namespace {

using Bytes = std::vector<std::byte>;

Bytes sample() { return small_elf({{".text.k", SHT_PROGBITS, 100}, {".nv.global", SHT_NOBITS, 4096}, {".nv.global.init", SHT_PROGBITS, 16}}); }

TEST(ElfImage, names_the_sections_with_their_sizes) {
  Bytes file = sample();
  auto sections = read_elf_sections(file.data(), file.size());
  ASSERT_TRUE(sections) << sections.error().message;
  ASSERT_EQ(sections->size(), 5u);
  EXPECT_EQ((*sections)[1].name, ".text.k");
  EXPECT_EQ((*sections)[1].bytes, 100u);
}

TEST(ElfImage, finds_memory_that_kernels_can_write) {
  Bytes with = sample(), without = small_elf({{".text.k", SHT_PROGBITS, 100}, {".nv.constant0.k", SHT_PROGBITS, 400}});
  auto globals = read_elf_globals(with.data(), with.size());
  ASSERT_TRUE(globals);
  ASSERT_EQ(globals->size(), 2u);
  EXPECT_EQ((*globals)[0].bytes, 4096u);
  EXPECT_EQ((*globals)[0].initial, "");
  EXPECT_EQ((*globals)[1].initial.size(), 16u);
  EXPECT_TRUE(read_elf_globals(without.data(), without.size())->empty());
}

TEST(ElfImage, tells_the_compilers_strings_from_variables) {
  ElfGlobals strings{".nv.global.init", 28, std::string("__CUDA_FTZ\0__CUDA_PREC_SQRT\0", 28), {}};
  EXPECT_TRUE(only_compilers_strings({strings}));
  EXPECT_FALSE(only_compilers_strings({strings, {".nv.global", 4, "", {}}}));
  ElfGlobals other = strings;
  other.initial[12] = 'x';
  EXPECT_FALSE(only_compilers_strings({other}));
  other = strings;
  other.initial.back() = 'x';
  EXPECT_FALSE(only_compilers_strings({other}));
  strings.initial = std::string("__CUDA_FTZ\0", 11) + std::string(60, '\0');
  EXPECT_FALSE(only_compilers_strings({strings}));
}

TEST(ElfImage, no_prefix_of_a_file_is_a_file) {
  Bytes file = sample();
  for (size_t size = 0; size < file.size(); size++) EXPECT_FALSE(read_elf_sections(file.data(), size)) << size;
}

TEST(ElfImage, every_byte_may_be_anything) {
  Bytes file = sample();
  for (size_t at = 0; at < file.size(); at++)
    for (int value : {0x00, 0x7f, 0xff}) {
      Bytes broken = file;
      broken[at] = std::byte(value);
      (void)read_elf_sections(broken.data(), broken.size());  // under the sanitizers: no read outside
    }
}

TEST(ElfImage, fatbin_must_not_be_longer_than_its_bytes) {
  Bytes file(32);
  uint32_t magic = 0xBA55ED50;
  uint16_t header = 16;
  uint64_t payload = 16;
  std::memcpy(file.data(), &magic, 4);
  std::memcpy(file.data() + 6, &header, 2);
  std::memcpy(file.data() + 8, &payload, 8);
  EXPECT_TRUE(check_fatbin(file.data(), file.size()));
  EXPECT_FALSE(check_fatbin(file.data(), file.size() - 1));
  EXPECT_FALSE(check_fatbin(file.data() + 1, file.size() - 1));
}

}  // namespace
}  // namespace kbx::cuda
