// SHA-256 (libmd) as lower-case hex: job keys, blob names, versions of tasks.
#pragma once
#include <string>
#include <string_view>

namespace kbx {

std::string sha256_hex(std::string_view bytes);

// Hashes a list of fields so that no two lists share an input: each field is preceded by its length.
class FieldHash {
 public:
  FieldHash& add(std::string_view field);
  std::string hex() const { return sha256_hex(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace kbx
