#include "base/text.h"


#include <algorithm>
#include <numeric>

namespace kbx {

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> out;
  size_t begin = 0;
  for (;;) {
    size_t end = text.find(at, begin);
    out.emplace_back(text.substr(begin, end == text.npos ? text.npos : end - begin));
    if (end == text.npos) return out;
    begin = end + 1;
  }
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> out;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = text.find_first_of("\r\n", begin);
    if (end == text.npos) end = text.size();
    out.emplace_back(text.substr(begin, end - begin));
    begin = end + (end + 1 < text.size() && text[end] == '\r' && text[end + 1] == '\n' ? 2 : 1);
  }
  return out;
}

std::string trim(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r\n\f\v");
  if (begin == text.npos) return {};
  size_t end = text.find_last_not_of(" \t\r\n\f\v");
  return std::string(text.substr(begin, end - begin + 1));
}

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }
bool ends_with(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      size_t substitute = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& names, size_t most) {
  std::vector<std::pair<size_t, std::string>> ranked;
  for (const auto& n : names) {
    size_t d = edit_distance(name, n);
    bool inside = name.size() >= 3 && n.find(name) != n.npos;
    if (inside) d = std::min(d, size_t(1));
    // Nothing is near that shares no letter: of one letter every two-letter name would be.
    if (d <= std::max<size_t>(2, name.size() / 3) && d < name.size()) ranked.emplace_back(d, n);
  }
  std::stable_sort(ranked.begin(), ranked.end());
  std::vector<std::string> out;
  for (size_t i = 0; i < ranked.size() && i < most && ranked[i].first == ranked[0].first; i++) out.push_back(ranked[i].second);
  return out;
}

std::string clean_utf8(std::string_view s, size_t most) {
  std::string out;
  for (size_t i = 0; i < s.size();) {
    auto c = static_cast<unsigned char>(s[i]);
    size_t n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
    bool ok = n > 0 && i + n <= s.size();
    for (size_t k = 1; ok && k < n; k++) ok = (static_cast<unsigned char>(s[i + k]) & 0xC0) == 0x80;
    if (ok && n == 3) {
      auto d = static_cast<unsigned char>(s[i + 1]);
      ok = !(c == 0xE0 && d < 0xA0) && !(c == 0xED && d >= 0xA0);
    }
    if (ok && n == 4) {
      auto d = static_cast<unsigned char>(s[i + 1]);
      ok = !(c == 0xF0 && d < 0x90) && !(c == 0xF4 && d >= 0x90);
    }
    std::string_view piece = ok ? s.substr(i, n) : std::string_view("\xEF\xBF\xBD");
    if (out.size() + piece.size() > most) {
      out += "...";
      return out;
    }
    out += piece;
    i += ok ? n : 1;
  }
  return out;
}

namespace {

// Length of the character at `at` if it steers what is shown without being seen: C1 controls (U+0080..U+009F) steer terminals
// as the others do; marks and overrides of direction, and the two line ends of Unicode, put text where it does not stand.
size_t steering(std::string_view text, size_t at) {
  constexpr std::string_view kTurns[] = {"\xD8\x9C",     "\xE2\x80\x8E", "\xE2\x80\x8F", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAA", "\xE2\x80\xAB",
                                         "\xE2\x80\xAC", "\xE2\x80\xAD", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x81\xA7", "\xE2\x81\xA8", "\xE2\x81\xA9"};
  auto u = static_cast<unsigned char>(text[at]);
  if (u < 0x80) return u < 0x20 ? text[at] != '\n' && text[at] != '\t' : u == 0x7f;
  if (u == 0xC2) return static_cast<unsigned char>(text[at + 1]) < 0xA0 ? 2 : 0;
  for (std::string_view turn : kTurns)
    if (text.substr(at, turn.size()) == turn) return turn.size();
  return 0;
}

}  // namespace

std::string shown(std::string_view bytes, size_t most) {
  std::string clean = clean_utf8(bytes, most), out;
  out.reserve(clean.size());
  for (size_t at = 0; at < clean.size();) {
    size_t length = steering(clean, at);
    out += length ? '?' : clean[at];
    at += std::max<size_t>(length, 1);
  }
  return out;
}

std::string shown_line(std::string_view bytes, size_t most) {
  std::string out = shown(bytes, most);
  std::replace_if(out.begin(), out.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return out;
}

}  // namespace kbx
