// The size of device code follows from its headers alone.
#include "probe/image.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

#include "fakes.h"

namespace kbx::probe {

Bytes tiny_elf() {
  Bytes out(sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Shdr) + 32);
  Elf64_Ehdr head{};
  std::memcpy(head.e_ident, ELFMAG, 4);
  head.e_shoff = sizeof head, head.e_shnum = 2, head.e_shentsize = sizeof(Elf64_Shdr);
  Elf64_Shdr section{};
  section.sh_type = SHT_PROGBITS, section.sh_offset = sizeof head + 2 * sizeof section, section.sh_size = 32;
  std::memcpy(out.data(), &head, sizeof head);
  std::memcpy(out.data() + sizeof head + sizeof section, &section, sizeof section);
  return out;
}

namespace {

TEST(Image, AnElfEndsWithItsLastSection) {
  Bytes elf = tiny_elf();
  ImageExtent e = extent_of(elf.data());
  EXPECT_EQ(e.kind, DeviceImage::Kind::elf);
  EXPECT_EQ(e.bytes, elf.size());
}

TEST(Image, SectionsWithoutBytesDoNotCount) {
  Bytes elf = tiny_elf();
  Elf64_Shdr bss{};
  bss.sh_type = SHT_NOBITS, bss.sh_offset = 1 << 20, bss.sh_size = 1 << 20;
  std::memcpy(elf.data() + sizeof(Elf64_Ehdr) + sizeof bss, &bss, sizeof bss);
  EXPECT_EQ(extent_of(elf.data()).bytes, sizeof(Elf64_Ehdr) + 2 * sizeof bss);
}

TEST(Image, ProgramHeadersBehindTheSectionsCount) {
  Bytes elf = tiny_elf();
  Elf64_Ehdr head;
  std::memcpy(&head, elf.data(), sizeof head);
  head.e_phoff = 4096, head.e_phnum = 3, head.e_phentsize = 56;
  std::memcpy(elf.data(), &head, sizeof head);
  EXPECT_EQ(extent_of(elf.data()).bytes, 4096u + 3 * 56);
}

Bytes fatbin() {
  Bytes out(16 + 100);
  uint32_t magic = 0xba55ed50;
  uint16_t header = 16;
  uint64_t size = 100;
  std::memcpy(out.data(), &magic, 4);
  std::memcpy(out.data() + 6, &header, 2);
  std::memcpy(out.data() + 8, &size, 8);
  return out;
}

TEST(Image, AFatbinSaysItsSize) {
  Bytes bin = fatbin();
  EXPECT_EQ(extent_of(bin.data()).kind, DeviceImage::Kind::fatbin);
  EXPECT_EQ(extent_of(bin.data()).bytes, 116u);
}

TEST(Image, AWrapperIsWhatItPointsTo) {
  Bytes bin = fatbin();
  struct {
    uint32_t magic = 0x466243b1, version = 1;
    const void* data;
    void* unused = nullptr;
  } wrapper;
  wrapper.data = bin.data();
  EXPECT_EQ(extent_of(&wrapper).start, bin.data());
  EXPECT_EQ(extent_of(&wrapper).bytes, 116u);
}

TEST(Image, PtxIsTextWithItsEnd) {
  const char* text = "// ptx\n.version 8.0\n";
  EXPECT_EQ(extent_of(text).kind, DeviceImage::Kind::ptx);
  EXPECT_EQ(extent_of(text).bytes, std::strlen(text) + 1);
}

TEST(Image, AnythingElseHasNoSize) {
  const char bytes[16] = "\x01\x02\x03\x04";
  EXPECT_EQ(extent_of(bytes).bytes, 0u);
  EXPECT_EQ(extent_of(nullptr).bytes, 0u);
}

TEST(Image, OriginIsTheObjectThatHoldsIt) {
  static const int here = 0;
  Bytes heap(64);
  EXPECT_NE(origin_of(&here).find("unit_probe"), std::string::npos);
  EXPECT_EQ(origin_of(heap.data()), "heap");
}

}  // namespace
}  // namespace kbx::probe
