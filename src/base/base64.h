// Base64 (RFC 4648, section 4): bytes inside JSON.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbx {

std::string to_base64(const std::byte* data, size_t size);
// Nothing for text that is no base64: a foreign character, a length that is no multiple of four, padding inside.
std::optional<std::vector<std::byte>> from_base64(std::string_view text);

}  // namespace kbx
