// SHA-256's rounds by the instructions that x86 processors have for them: four to eight times as fast as plain code.
#pragma once
#include <cstddef>
#include <cstdint>

namespace kbx {

// Whether this processor has them.
bool has_sha256_instructions();
// Takes `blocks` blocks of 64 bytes into the state (FIPS 180-4, section 6.2.2). Only where has_sha256_instructions().
void sha256_blocks(uint32_t state[8], const uint8_t* bytes, size_t blocks);

}  // namespace kbx
