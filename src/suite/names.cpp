// The category table and the two spellings.
#include "suite/names.h"

#include <array>
#include <cctype>

namespace kbx::suite {
namespace {

constexpr std::array<CategoryName, 15> kCategories{{
    {"activation", "Activation"},
    {"convolution", "Convolution"},
    {"fusion", "Fusion"},
    {"index", "Index"},
    {"linear_algebra", "LinearAlgebra"},
    {"loss", "Loss"},
    {"math", "Math"},
    {"matrix_multiply", "MatrixMultiply"},
    {"normalization", "Normalization"},
    {"optimizer", "Optimizer"},
    {"pooling", "Pooling"},
    {"quantization", "Quantization"},
    {"random", "Random"},
    {"reduce", "Reduce"},
    {"spatial_ops", "SpatialOps"},
}};

// Letters and digits in lower case: what the spellings have in common.
std::string bare(std::string_view name) {
  std::string out;
  for (char c : name)
    if (std::isalnum(static_cast<unsigned char>(c))) out += char(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

std::span<const CategoryName> categories() { return kCategories; }

std::string display_name(std::string_view folder) {
  for (const CategoryName& c : kCategories)
    if (c.folder == folder) return std::string(c.display);
  std::string out;
  bool up = true;
  for (char c : folder) {
    if (c == '_') {
      up = true;
      continue;
    }
    out += up ? char(std::toupper(static_cast<unsigned char>(c))) : c;
    up = false;
  }
  return out;
}

std::optional<std::string_view> folder_name(std::string_view any_form) {
  std::string key = bare(any_form);
  for (const CategoryName& c : kCategories)
    if (bare(c.folder) == key) return c.folder;
  return std::nullopt;
}

std::string snake_case(std::string_view camel) {
  std::string out;
  for (size_t k = 0; k < camel.size(); k++) {
    auto c = static_cast<unsigned char>(camel[k]);
    bool after_lower = k > 0 && std::islower(static_cast<unsigned char>(camel[k - 1]));
    if (std::isupper(c) && after_lower) out += '_';
    out += char(std::tolower(c));
  }
  return out;
}

}  // namespace kbx::suite
