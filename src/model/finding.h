// Finding: one observation about a candidate, made by one layer, kept beside the verdict.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace kbx {

enum class Severity : unsigned char { note, warn, reject };
enum class Layer : unsigned char { intake, lint, compile, jail, run, ir, judge, clock };

std::string_view to_text(Severity s);
std::string_view to_text(Layer l);
std::optional<Severity> severity_from_text(std::string_view text);
std::optional<Layer> layer_from_text(std::string_view text);

struct Finding {
  Layer layer = Layer::lint;
  std::string rule;                   // stable id, e.g. "forbidden_import", "out_of_bounds"
  Severity severity = Severity::note;
  std::string message;                // one sentence for a human
  int line = 0;                       // 1-based line of the candidate's code; 0 = none
  int column = 0;                     // 1-based; 0 = none
};

}  // namespace kbx
