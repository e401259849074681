#include "base/hash.h"

#include <sha256.h>

#include <algorithm>
#include <array>

#include "base/sha256_x86.h"

namespace kbx {
namespace {

using Digest = std::array<uint8_t, SHA256_DIGEST_LENGTH>;

Digest by_library(const uint8_t* bytes, size_t size) {
  SHA256_CTX ctx;
  SHA256Init(&ctx);
  SHA256Update(&ctx, bytes, size);
  Digest out{};
  SHA256Final(out.data(), &ctx);
  return out;
}

Digest by_instructions(const uint8_t* bytes, size_t size) {
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};  // FIPS 180-4, section 5.3.3
  size_t rest = size % 64;
  sha256_blocks(state, bytes, size / 64);
  // What is left, a one bit, zeros, the length in bits (section 5.1.1).
  std::array<uint8_t, 128> tail{};
  std::copy_n(bytes + (size - rest), rest, tail.begin());
  tail[rest] = 0x80;
  size_t blocks = rest < 56 ? 1 : 2;
  for (size_t k = 0; k < 8; k++) tail[64 * blocks - 1 - k] = uint8_t(uint64_t(size) * 8 >> 8 * k);
  sha256_blocks(state, tail.data(), blocks);
  Digest out{};
  for (size_t k = 0; k < out.size(); k++) out[k] = uint8_t(state[k / 4] >> (24 - 8 * (k % 4)));
  return out;
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  const auto* at = reinterpret_cast<const uint8_t*>(bytes.data());
  const Digest digest = has_sha256_instructions() ? by_instructions(at, bytes.size()) : by_library(at, bytes.size());
  static const char* hex = "0123456789abcdef";
  std::string out;
  out.reserve(2 * digest.size());
  for (uint8_t b : digest) {
    out += hex[b >> 4];
    out += hex[b & 15];
  }
  return out;
}

FieldHash& FieldHash::add(std::string_view field) {
  bytes_ += std::to_string(field.size());
  bytes_ += ':';
  bytes_ += field;
  return *this;
}

}  // namespace kbx
