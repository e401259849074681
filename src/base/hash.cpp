#include "base/hash.h"

#include <sha256.h>

#include <array>

namespace kbx {

std::string sha256_hex(std::string_view bytes) {
  SHA256_CTX ctx;
  SHA256Init(&ctx);
  SHA256Update(&ctx, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  std::array<uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256Final(digest.data(), &ctx);
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
