// Formats: ELF64 (elf.h); fatbin: magic BA55ED50, u16 header bytes at 6, u64 payload bytes at 8; wrapper: magic
// 466243B1, pointer at 8.
#include "probe/image.h"

#include <dlfcn.h>
#include <elf.h>

#include <algorithm>
#include <cstring>

namespace kbx::probe {
namespace {

template <class T>
T at(const void* base, uint64_t offset) {
  T v;
  std::memcpy(&v, static_cast<const char*>(base) + offset, sizeof v);
  return v;
}

uint64_t elf_bytes(const void* image) {
  auto head = at<Elf64_Ehdr>(image, 0);
  uint64_t end = std::max(head.e_shoff + uint64_t(head.e_shnum) * head.e_shentsize,
                          head.e_phoff + uint64_t(head.e_phnum) * head.e_phentsize);
  end = std::max<uint64_t>(end, sizeof head);
  for (int k = 0; k < head.e_shnum; k++) {
    auto section = at<Elf64_Shdr>(image, head.e_shoff + uint64_t(k) * head.e_shentsize);
    if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL)
      end = std::max(end, section.sh_offset + section.sh_size);
  }
  return end;
}

}  // namespace

ImageExtent extent_of(const void* image) {
  using Kind = DeviceImage::Kind;
  if (!image) return {};
  switch (at<uint32_t>(image, 0)) {
    case 0x464c457f:
      return {Kind::elf, image, elf_bytes(image)};
    case 0xba55ed50:
      return {Kind::fatbin, image, at<uint16_t>(image, 6) + at<uint64_t>(image, 8)};
    case 0x466243b1:
      return extent_of(at<const void*>(image, 8));
  }
  char first = at<char>(image, 0);
  if (first == '/' || first == '.' || first == '\n' || first == ' ')
    return {Kind::ptx, image, std::strlen(static_cast<const char*>(image)) + 1};
  return {Kind::unknown, image, 0};
}

std::string origin_of(const void* address) {
  Dl_info info;
  return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "heap";
}

}  // namespace kbx::probe
