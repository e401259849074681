// Cutting stored JSON further without parsing it: elements of lists, numbers of cut objects (store/job_row.h).
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "store/job_row.h"

namespace kbx::store {

// The elements of a list as text, in order. Empty for anything else.
std::vector<std::string_view> list_parts(std::string_view list);
// A member that is a number, or one of the strings "nan", "inf", "-inf" that stand for numbers in records (record_json).
std::optional<double> number_part(const RecordParts& object, std::string_view name);

}  // namespace kbx::store
