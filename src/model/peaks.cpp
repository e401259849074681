#include "model/peaks.h"

#include <cmath>
#include <cstdlib>

#include "base/text.h"

namespace kbx {
namespace {

constexpr std::string_view kOrigins[] = {"datasheet", "user", "calibrated"};
constexpr double kTera = 1e12, kGiga = 1e9;

tl::unexpected<Error> wrong(std::string_view where, size_t line, const std::string& what) {
  return fail(Code::usage, std::string(where) + ":" + std::to_string(line) + ": " + what);
}

// [gpu."NAME"] -> NAME
std::optional<std::string> card_of(std::string_view line) {
  constexpr std::string_view kOpen = "[gpu.\"", kClose = "\"]";
  if (!starts_with(line, kOpen) || !ends_with(line, kClose) || line.size() <= kOpen.size() + kClose.size()) return std::nullopt;
  std::string name(line.substr(kOpen.size(), line.size() - kOpen.size() - kClose.size()));
  if (name.find_first_of("\"\\") != name.npos) return std::nullopt;
  return name;
}

std::optional<double> positive(const std::string& text) {
  char* end = nullptr;
  double v = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !std::isfinite(v) || v <= 0) return std::nullopt;
  return v;
}

// One `name = value` line; "" = it was taken, else what is wrong with it.
std::string take(Peaks& card, const std::string& line) {
  size_t eq = line.find('=');
  if (eq == line.npos) return "expected [gpu.\"NAME\"] or `name = number`";
  std::string name = trim(line.substr(0, eq));
  auto value = positive(trim(line.substr(eq + 1)));
  if (!value) return name + " must be a positive number";
  if (name == "bandwidth") card.bandwidth = *value * kGiga;
  else if (auto unit = unit_from_text(name)) card.unit[size_t(*unit)] = *value * kTera;
  else return "unknown name " + name + "; known: bandwidth, f64, f32, tf32, f16, bf16, f8, i8";
  return "";
}

// What stands before a comment; a # inside quotes is none.
std::string without_comment(const std::string& line) {
  bool quoted = false;
  for (size_t k = 0; k < line.size(); k++) {
    if (line[k] == '"') quoted = !quoted;
    if (line[k] == '#' && !quoted) return trim(line.substr(0, k));
  }
  return trim(line);
}

}  // namespace

std::string_view to_text(Peaks::Origin origin) { return kOrigins[size_t(origin)]; }
std::optional<Peaks::Origin> peaks_origin_from_text(std::string_view text) {
  for (size_t k = 0; k < std::size(kOrigins); k++)
    if (kOrigins[k] == text) return Peaks::Origin(k);
  return std::nullopt;
}

std::optional<double> Peaks::of(std::string_view unit_text) const {
  auto known = unit_from_text(unit_text);
  return known ? unit[size_t(*known)] : std::nullopt;
}

Peaks peaks_of(const GpuSpec& spec) {
  return {std::string(spec.name), Peaks::Origin::datasheet, spec.bandwidth, spec.peak, std::string(spec.source)};
}

Result<std::vector<Peaks>> parse_user_peaks(std::string_view text, std::string_view where) {
  std::vector<Peaks> out;
  auto lines = split_lines(text);
  for (size_t k = 0; k < lines.size(); k++) {
    std::string line = without_comment(lines[k]);
    if (line.empty()) continue;
    if (line[0] == '[') {
      auto name = card_of(line);
      if (!name) return wrong(where, k + 1, "expected [gpu.\"NAME\"], not " + shown(line, 80));
      for (const Peaks& other : out)
        if (other.name == *name) return wrong(where, k + 1, "the card " + *name + " stands here twice");
      Peaks card;
      card.name = *name;
      card.origin = Peaks::Origin::user;
      card.source = std::string(where);
      out.push_back(std::move(card));
      continue;
    }
    if (out.empty()) return wrong(where, k + 1, "a number before the first [gpu.\"NAME\"]");
    if (std::string trouble = take(out.back(), line); !trouble.empty()) return wrong(where, k + 1, trouble);
  }
  return out;
}

Peaks overlaid(Peaks under, const Peaks& stated) {
  if (under.name.empty()) under.name = stated.name;
  if (stated.bandwidth > 0) under.bandwidth = stated.bandwidth;
  for (size_t k = 0; k < kUnits; k++)
    if (stated.unit[k]) under.unit[k] = stated.unit[k];
  under.source = under.source.empty() ? stated.source : stated.source + "; the rest: " + under.source;
  under.origin = Peaks::Origin::user;
  return under;
}

}  // namespace kbx
