// Finding: one observation about a candidate, made by one layer, kept beside the verdict.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kbx {

enum class Severity : unsigned char { note, warn, reject };
enum class Layer : unsigned char { intake, lint, compile, jail, run, ir, judge, clock };

std::string_view to_text(Severity s);
std::string_view to_text(Layer l);
std::optional<Severity> severity_from_text(std::string_view text);
std::optional<Layer> layer_from_text(std::string_view text);

// Where an access stands, as far as the machine could tell. Empty, 0 or nullopt: unknown.
struct FindingPlace {
  std::string argument;                         // the kernel's parameter
  std::optional<int64_t> index;                 // element from the argument's first; may lie outside
  std::vector<int64_t> shape_index;             // the same as indices of the tensor
  std::vector<int64_t> program, other_program;  // x, y, z
  int other_line = 0;                           // of a race's second access
  std::string value;                            // what was there, in a few words
  int64_t count = 0;                            // occurrences
};

struct Finding {
  Layer layer = Layer::lint;
  std::string rule;                   // stable id, e.g. "forbidden_import", "out_of_bounds"
  Severity severity = Severity::note;
  std::string message;                // one sentence for a human
  int line = 0;                       // 1-based line of the candidate's code; 0 = none
  int column = 0;                     // 1-based; 0 = none
  FindingPlace place = {};
};

}  // namespace kbx
