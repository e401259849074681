// The smallest ELF64 with sections of given names and sizes.
#pragma once
#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace kbx {

struct SectionWish {
  std::string name;
  uint32_t type = SHT_PROGBITS;
  uint64_t bytes = 0;
};
inline std::vector<std::byte> small_elf(const std::vector<SectionWish>& wishes) {
  std::string names(1, '\0');
  std::vector<Elf64_Shdr> headers(1);
  uint64_t at = sizeof(Elf64_Ehdr);
  auto add = [&](const SectionWish& w) {
    Elf64_Shdr h{};
    h.sh_name = Elf64_Word(names.size());
    names += w.name + '\0';
    h.sh_type = w.type;
    h.sh_offset = at;
    h.sh_size = w.bytes;
    if (w.type != SHT_NOBITS) at += w.bytes;
    headers.push_back(h);
  };
  for (const auto& w : wishes) add(w);
  uint64_t names_at = at;
  add({".shstrtab", SHT_STRTAB, 0});
  headers.back().sh_size = names.size();
  at += names.size();
  Elf64_Ehdr e{};
  std::memcpy(e.e_ident, ELFMAG, SELFMAG);
  e.e_ident[EI_CLASS] = ELFCLASS64;
  e.e_ident[EI_DATA] = ELFDATA2LSB;
  e.e_shoff = at;
  e.e_shnum = Elf64_Half(headers.size());
  e.e_shentsize = sizeof(Elf64_Shdr);
  e.e_shstrndx = Elf64_Half(headers.size() - 1);
  std::vector<std::byte> out(at + headers.size() * sizeof(Elf64_Shdr));
  std::memcpy(out.data(), &e, sizeof e);
  std::memcpy(out.data() + names_at, names.data(), names.size());
  std::memcpy(out.data() + at, headers.data(), headers.size() * sizeof(Elf64_Shdr));
  return out;
}

}  // namespace kbx
