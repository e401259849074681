// Which value of a call belongs to which parameter of the entry, as Python would bind it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/task.h"
#include "model/value.h"

namespace kbx::suite {

struct Bound {
  std::string name;  // the parameter's
  Value value;       // a variadic parameter's values are one tuple; an argument not given has its default
  bool given = false;
};

// Every parameter in signature order. A default that is not a literal (`torch.strided`) becomes an `object` value
// whose text is the Python text. Errors: too many values, an unknown keyword, a value given twice, one missing.
Result<std::vector<Bound>> bind(const Signature& signature, const Call& call);
// nullptr when there is no such parameter.
const Value* find_argument(const std::vector<Bound>& arguments, std::string_view name);
// A Python literal: None, booleans, numbers, strings, tuples and lists of them; anything else -> `object`.
Value literal_value(std::string_view python_text);

}  // namespace kbx::suite
