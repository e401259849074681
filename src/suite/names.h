// The 15 categories of the suite: folder names ("linear_algebra") and the display names of tables ("LinearAlgebra").
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kbx::suite {

struct CategoryName {
  std::string_view folder, display;
};
std::span<const CategoryName> categories();  // in the order of the published tables: alphabetical by display name

// "linear_algebra" -> "LinearAlgebra". An unknown folder (a user's own suite) is turned into CamelCase.
std::string display_name(std::string_view folder);
// "LinearAlgebra", "linearalgebra" or "linear_algebra" -> "linear_algebra"; nullopt when it is none of the 15.
std::optional<std::string_view> folder_name(std::string_view any_form);
// "LinearAlgebra" -> "linear_algebra", "conv2d" stays: for categories outside the table.
std::string snake_case(std::string_view camel);

}  // namespace kbx::suite
