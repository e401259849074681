// Peaks: the rates of one card that a time is held against, and where they come from: a document, the user, or
// `kbx calibrate`. What nobody stated is absent, never guessed.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/gpu_spec.h"

namespace kbx {

struct Peaks {
  enum class Origin : unsigned char { datasheet, user, calibrated };
  std::string name;                                   // of the card
  Origin origin = Origin::datasheet;
  double bandwidth = 0;                               // of its memory, bytes a second; 0 = not known
  std::array<std::optional<double>, kUnits> unit{};   // dense operations a second, a multiply-add is two
  std::string source;                                 // the documents, the file, or the method

  // Absent also for a text that names no unit.
  std::optional<double> of(std::string_view unit_text) const;
};
std::string_view to_text(Peaks::Origin origin);
std::optional<Peaks::Origin> peaks_origin_from_text(std::string_view text);

Peaks peaks_of(const GpuSpec& spec);

// What a user states of cards, in TOML's form:
//   [gpu."NVIDIA H200"]     the name as the driver gives it
//   bandwidth = 4800        GB/s
//   f16 = 989.4             tera-operations a second; also f64, f32, tf32, bf16, f8, i8
// Comments and blank lines are allowed, nothing else. `where` names the text in errors (code usage, with the line).
Result<std::vector<Peaks>> parse_user_peaks(std::string_view text, std::string_view where);

// `stated` laid over `under`: a number of `stated` wins, the others stay. The origin becomes `user`.
Peaks overlaid(Peaks under, const Peaks& stated);

}  // namespace kbx
