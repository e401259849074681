#include "llm/http_words.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/text.h"

namespace kbx::llm {
namespace {

constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";

std::optional<int> whole(std::string_view text) {
  int v = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc{} || end != text.data() + text.size() || v < 0) return std::nullopt;
  return v;
}

struct Day {
  std::optional<int> year, month, day;
};

// Days since 1970-01-01 of the proleptic Gregorian calendar (years in eras of 400, beginning in March).
int64_t days_since_epoch(int64_t y, int m, int d) {
  y -= m <= 2;
  int64_t era = y / 400, of_era = y - era * 400;
  int64_t of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

std::optional<double> seconds_of(const Day& date, std::string_view clock) {
  auto parts = split(clock, ':');
  if (parts.size() != 3 || !date.year || !date.month || !date.day) return std::nullopt;
  auto h = whole(parts[0]), m = whole(parts[1]);
  auto s = finite_number(parts[2]);
  if (!h || !m || !s || *h > 23 || *m > 59 || *s < 0 || *s >= 61) return std::nullopt;
  if (*date.month < 1 || *date.month > 12 || *date.day < 1 || *date.day > 31 || *date.year > 9999) return std::nullopt;
  return double(days_since_epoch(*date.year, *date.month, *date.day)) * 86400 + *h * 3600 + *m * 60 + *s;
}

std::optional<int> month_of(std::string_view name) {
  if (name.size() != 3) return std::nullopt;
  size_t at = kMonths.find(name);
  if (at == kMonths.npos || at % 3 != 0) return std::nullopt;
  return int(at / 3) + 1;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = char(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::optional<double> finite_number(std::string_view text) {
  double v = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(v)) return std::nullopt;
  return v;
}

const std::string* header(const Headers& headers, std::string_view name) {
  for (size_t k = headers.size(); k-- > 0;)
    if (headers[k].first == name) return &headers[k].second;
  return nullptr;
}

std::optional<double> date_seconds(std::string_view text) {
  std::string t = trim(text);
  if (t.size() >= 20 && t[4] == '-' && t[7] == '-' && (t[10] == 'T' || t[10] == 't') && (t.back() == 'Z' || t.back() == 'z')) {  // RFC 3339
    std::string_view v = t;
    return seconds_of({whole(v.substr(0, 4)), whole(v.substr(5, 2)), whole(v.substr(8, 2))}, v.substr(11, v.size() - 12));
  }
  std::vector<std::string> words;
  for (std::string& w : split(t, ' '))
    if (!w.empty()) words.push_back(std::move(w));
  if (words.size() == 6 && words[5] == "GMT")  // Sun, 06 Nov 1994 08:49:37 GMT
    return seconds_of({whole(words[3]), month_of(words[2]), whole(words[1])}, words[4]);
  if (words.size() == 4 && words[3] == "GMT") {  // Sunday, 06-Nov-94 08:49:37 GMT
    auto parts = split(words[1], '-');
    if (parts.size() != 3) return std::nullopt;
    auto year = whole(parts[2]);
    if (year && *year < 100) *year += *year < 70 ? 2000 : 1900;
    return seconds_of({year, month_of(parts[1]), whole(parts[0])}, words[2]);
  }
  if (words.size() == 5)  // Sun Nov  6 08:49:37 1994
    return seconds_of({whole(words[4]), month_of(words[1]), whole(words[2])}, words[3]);
  return std::nullopt;
}

std::optional<double> retry_after_of(const Headers& headers, double now) {
  if (const std::string* ms = header(headers, "retry-after-ms"))
    if (auto v = finite_number(trim(*ms)); v && *v >= 0) return *v / 1000;
  const std::string* after = header(headers, "retry-after");
  if (!after) return std::nullopt;
  if (auto v = finite_number(trim(*after))) return *v >= 0 ? v : std::nullopt;
  auto until = date_seconds(*after);
  if (!until) return std::nullopt;
  if (const std::string* date = header(headers, "date")) now = date_seconds(*date).value_or(now);
  return std::max(0.0, *until - now);
}

}  // namespace kbx::llm
