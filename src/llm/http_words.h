// What an answer's head says: headers by name, dates, and how long to wait before asking again; words whose case says nothing.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "llm/dialect.h"

namespace kbx::llm {

// ASCII letters in lower case: names of headers, ids of models, words of servers.
std::string lower_case(std::string_view text);

// The whole text as a number; nullopt: anything else, infinity and NaN included.
std::optional<double> finite_number(std::string_view text);

// The last header of that name (lower case), or null.
const std::string* header(const Headers& headers, std::string_view name);

// Unix seconds of a date in one of HTTP's three forms (RFC 9110, 5.6.7), or of an RFC 3339 one; no other zone than GMT.
std::optional<double> date_seconds(std::string_view text);

// Seconds to wait, >= 0: retry-after-ms, else retry-after as a number (integer or float) or as a date. A date is
// measured against the answer's own Date, which spares us the server's clock, else against `now` (unix seconds); one in
// the past is 0. Negative numbers and nonsense are nullopt. However long it is, it is told as it stands.
std::optional<double> retry_after_of(const Headers& headers, double now);

}  // namespace kbx::llm
