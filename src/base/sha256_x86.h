// SHA-256's rounds by the instructions that x86 processors have for them: 400 MB/s where libmd's plain code makes 80, side
// by side on a shared machine. Plain code was 9 % of what a streamed call costs (docs/methods-figures.md), and tapes of
// cards are hashed whole. libcrypto is as fast (360 there), but nothing else here needs it and it links 3.8 MB statically.
#pragma once
#include <cstddef>
#include <cstdint>

namespace kbx {

// Whether this processor has them.
bool has_sha256_instructions();
// Takes `blocks` blocks of 64 bytes into the state (FIPS 180-4, section 6.2.2). Only where has_sha256_instructions().
void sha256_blocks(uint32_t state[8], const uint8_t* bytes, size_t blocks);

}  // namespace kbx
