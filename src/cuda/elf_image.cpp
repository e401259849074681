#include "cuda/elf_image.h"

#include <elf.h>

#include <cstring>

namespace kbx::cuda {
namespace {

constexpr size_t kMaxSections = 65536, kMaxSectionName = 4096;

struct Reader {
  const std::byte* data;
  size_t size;

  bool holds(uint64_t at, uint64_t bytes) const { return at <= size && bytes <= size - at; }
  template <class T>
  bool read(uint64_t at, T& out) const {
    if (!holds(at, sizeof out)) return false;
    std::memcpy(&out, data + at, sizeof out);
    return true;
  }
  // A NUL-terminated name inside [table, table + bytes).
  bool name(uint64_t table, uint64_t bytes, uint64_t at, std::string& out) const {
    if (at >= bytes) return false;
    auto from = reinterpret_cast<const char*>(data + table + at);
    size_t most = size_t(std::min<uint64_t>(bytes - at, kMaxSectionName)), length = strnlen(from, most);
    if (length == most) return false;
    out.assign(from, length);
    return true;
  }
};

bool well_formed(const Elf64_Ehdr& h) {
  return std::memcmp(h.e_ident, ELFMAG, SELFMAG) == 0 && h.e_ident[EI_CLASS] == ELFCLASS64 && h.e_ident[EI_DATA] == ELFDATA2LSB;
}

}  // namespace

Result<std::vector<ElfSection>> read_elf_sections(const std::byte* data, size_t size) {
  Reader r{data, size};
  Elf64_Ehdr h;
  if (!r.read(0, h) || !well_formed(h)) return fail(Code::usage, "not an ELF64 file");
  if (h.e_shnum == 0 || h.e_shnum > kMaxSections || h.e_shentsize != sizeof(Elf64_Shdr) || !r.holds(h.e_shoff, uint64_t(h.e_shnum) * sizeof(Elf64_Shdr)))
    return fail(Code::usage, "the table of sections lies outside the file");
  if (h.e_phnum && (h.e_phentsize != sizeof(Elf64_Phdr) || !r.holds(h.e_phoff, uint64_t(h.e_phnum) * sizeof(Elf64_Phdr))))
    return fail(Code::usage, "the table of segments lies outside the file");
  std::vector<Elf64_Shdr> headers(h.e_shnum);
  std::memcpy(headers.data(), data + h.e_shoff, headers.size() * sizeof(Elf64_Shdr));
  for (const Elf64_Shdr& s : headers)
    if (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL && !r.holds(s.sh_offset, s.sh_size)) return fail(Code::usage, "a section lies outside the file");
  for (unsigned k = 0; k < h.e_phnum; k++) {
    Elf64_Phdr p;
    if (!r.read(h.e_phoff + k * sizeof p, p) || !r.holds(p.p_offset, p.p_filesz)) return fail(Code::usage, "a segment lies outside the file");
  }
  if (h.e_shstrndx >= headers.size() || headers[h.e_shstrndx].sh_type == SHT_NOBITS) return fail(Code::usage, "the sections have no names");
  const Elf64_Shdr& names = headers[h.e_shstrndx];
  std::vector<ElfSection> out;
  for (const Elf64_Shdr& s : headers) {
    ElfSection section{"", s.sh_type, s.sh_offset, s.sh_size, s.sh_link};
    if (s.sh_type != SHT_NULL && !r.name(names.sh_offset, names.sh_size, s.sh_name, section.name)) return fail(Code::usage, "a section's name lies outside its table");
    out.push_back(std::move(section));
  }
  return out;
}

Result<std::vector<ElfGlobals>> read_elf_globals(const std::byte* data, size_t size) {
  KBX_TRY_ASSIGN(std::vector<ElfSection> sections, read_elf_sections(data, size));
  Reader r{data, size};
  std::vector<ElfGlobals> out;
  for (size_t k = 0; k < sections.size(); k++) {
    const ElfSection& s = sections[k];
    if (s.name.rfind(".nv.global", 0) != 0 || s.bytes == 0) continue;
    ElfGlobals g{s.name, s.bytes, "", {}};
    if (s.type != SHT_NOBITS && r.holds(s.at, s.bytes)) g.initial.assign(reinterpret_cast<const char*>(data + s.at), s.bytes);
    for (const ElfSection& table : sections) {
      if (table.type != SHT_SYMTAB || table.link >= sections.size() || sections[table.link].type != SHT_STRTAB) continue;
      const ElfSection& names = sections[table.link];
      for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.bytes; at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        ElfGlobals::Symbol found;
        if (!r.read(table.at + at, symbol) || symbol.st_shndx != k || symbol.st_value >= s.bytes || ELF64_ST_TYPE(symbol.st_info) == STT_SECTION) continue;
        if (!r.name(names.at, names.bytes, symbol.st_name, found.name) || found.name.empty()) continue;
        found.offset = symbol.st_value;
        g.symbols.push_back(std::move(found));
      }
    }
    out.push_back(std::move(g));
  }
  return out;
}

bool only_compilers_strings(const std::vector<ElfGlobals>& globals) {
  constexpr uint64_t kMostBytes = 128;
  uint64_t bytes = 0;
  for (const ElfGlobals& g : globals) {
    bytes += g.bytes;
    if (g.initial.empty() || bytes > kMostBytes || g.initial.back() != '\0') return false;
    for (size_t at = 0; at < g.initial.size(); at += std::strlen(g.initial.c_str() + at) + 1)
      if (g.initial.compare(at, 7, "__CUDA_") != 0) return false;
  }
  return true;
}

Result<void> check_fatbin(const std::byte* data, size_t size) {
  constexpr uint32_t kMagic = 0xBA55ED50;
  Reader r{data, size};
  uint32_t magic = 0;
  uint16_t header = 0;
  uint64_t payload = 0;
  if (!r.read(0, magic) || magic != kMagic || !r.read(6, header) || !r.read(8, payload)) return fail(Code::usage, "not a fatbin");
  if (header < 16 || !r.holds(header, payload)) return fail(Code::usage, "the fatbin says to be longer than it is");
  return {};
}

}  // namespace kbx::cuda
