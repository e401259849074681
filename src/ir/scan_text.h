// Small scanners over text that may be hostile: no locale, no allocation, no overflow.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kbx::ir {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

// Characters used by the decimal number at the front; 0 = none, or it does not fit in 64 bits.
size_t scan_unsigned(std::string_view text, uint64_t& value);
// A whole integer with an optional sign ("-5", "18446744073709551615" as its bits); a ": i64" may follow.
std::optional<int64_t> scan_integer(std::string_view text);
// A whole floating point number in decimal.
std::optional<double> scan_double(std::string_view text);
// A whole number "0x7FC0".
std::optional<uint64_t> scan_hex(std::string_view text);
// "array<i32: 1, 2>" -> 1 2. Nothing = not such a list, or more than `limit` entries.
std::optional<std::vector<int64_t>> scan_array(std::string_view text, size_t limit);
std::string_view strip(std::string_view text);
// The text of "..." without its quotes (escapes are left as they are), or the text itself.
std::string_view unquote(std::string_view text);

}  // namespace kbx::ir
