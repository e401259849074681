// ElfImage: the sections of a GPU's machine code, read without a driver. Its bytes may be hostile: everything is checked
// before it is used, and before a driver, which is told no length, may see them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace kbx::cuda {

struct ElfSection {
  std::string name;
  uint32_t type = 0;      // 1 program bits, 8 no bits
  uint64_t at = 0;        // in the file
  uint64_t bytes = 0;     // in memory
  uint32_t link = 0;      // another section's number
};

// Error (code usage) when it is no little-endian ELF64 whose tables and sections lie inside `size` bytes.
Result<std::vector<ElfSection>> read_elf_sections(const std::byte* data, size_t size);
// Memory of a module that its kernels can write and that lives as long as the module: variables at file scope, strings
// of device_print among them. One for each section .nv.global and .nv.global.init that has bytes.
struct ElfGlobals {
  std::string section;
  uint64_t bytes = 0;
  std::string initial;  // of .nv.global.init
  struct Symbol {
    std::string name;
    uint64_t offset = 0;  // in the section
  };
  std::vector<Symbol> symbols;
};
// As read_elf_sections; symbols that are malformed are left out.
Result<std::vector<ElfGlobals>> read_elf_globals(const std::byte* data, size_t size);
// Nothing but the few strings that libdevice leaves behind ("__CUDA_FTZ"), as about every fifth Triton kernel has.
bool only_compilers_strings(const std::vector<ElfGlobals>& globals);

// A fatbin says its own size in its header: Error (code usage) when that is not `size` at most.
Result<void> check_fatbin(const std::byte* data, size_t size);

}  // namespace kbx::cuda
