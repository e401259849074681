// Calibration: the rates that trusted kernels reached on one board, as `kbx calibrate` measured them. Kept for a board,
// since boards of one model differ.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>

#include "base/json.h"
#include "model/peaks.h"

namespace kbx {

struct Calibration {
  std::string gpu, board, driver;   // name, UUID, version
  std::string date;                 // UTC, ISO 8601
  double copy_bandwidth = 0;        // bytes read and written a second; 0 = not measured
  double read_bandwidth = 0;        // bytes read a second
  std::array<std::optional<double>, kUnits> matmul{};  // operations a second in a matrix product, by the operands' type
  std::map<std::string, std::string> methods;          // how: "copy", "read", a unit -> words
};

// What a kernel may be held against: the larger bandwidth (a kernel that only reads gets nearer to the memory's rate than
// a copy), and the matmul rates.
Peaks peaks_of(const Calibration& calibration);

// Fields may be added, never renamed. Rates in bytes and operations a second.
Json calibration_json(const Calibration& calibration);
// Error (code io): not a calibration, or without a card. Rates that are no positive number read as not measured.
Result<Calibration> calibration_from(const Json& json);

}  // namespace kbx
