#include "base/base64.h"

#include <array>
#include <cstdint>

namespace kbx {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int8_t, 256> kSextets = [] {
  std::array<int8_t, 256> table{};
  table.fill(-1);
  for (size_t k = 0; k < kAlphabet.size(); k++) table[uint8_t(kAlphabet[k])] = int8_t(k);
  return table;
}();

}  // namespace

std::string to_base64(const std::byte* data, size_t size) {
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (size_t k = 0; k < size; k += 3) {
    uint32_t group = 0;
    size_t have = size - k < 3 ? size - k : 3;
    for (size_t j = 0; j < 3; j++) group = group << 8 | (j < have ? uint32_t(data[k + j]) : 0);
    for (size_t j = 0; j < 4; j++) out += j <= have ? kAlphabet[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

std::optional<std::vector<std::byte>> from_base64(std::string_view text) {
  if (text.size() % 4) return std::nullopt;
  size_t padding = 0;
  while (padding < 2 && !text.empty() && text.back() == '=') text.remove_suffix(1), padding++;
  std::vector<std::byte> out;
  out.reserve(text.size() * 3 / 4);
  uint32_t group = 0;
  int bits = 0;
  for (char c : text) {
    int8_t sextet = kSextets[uint8_t(c)];
    if (sextet < 0) return std::nullopt;
    group = (group << 6 | uint32_t(sextet)) & 0xffff;
    if ((bits += 6) >= 8) out.push_back(std::byte(group >> (bits -= 8) & 0xff));
  }
  return out;
}

}  // namespace kbx
