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
  uint64_t bytes = 0;     // in memory
};

// Error (code usage) when it is no little-endian ELF64 whose tables and sections lie inside `size` bytes.
Result<std::vector<ElfSection>> read_elf_sections(const std::byte* data, size_t size);
// Memory of a module that its kernels can write and that lives as long as the module: variables at file scope, strings
// of device_print among them. Bytes; 0 = none.
uint64_t writable_global_bytes(const std::vector<ElfSection>& sections);

// A fatbin says its own size in its header: Error (code usage) when that is not `size` at most.
Result<void> check_fatbin(const std::byte* data, size_t size);

}  // namespace kbx::cuda
