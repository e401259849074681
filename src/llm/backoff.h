// Backoff: how long to wait before a call is tried again. Pure: chance comes as an argument.
#pragma once
#include <optional>

#include "model/chat.h"

namespace kbx::llm {

struct BackoffRules {
  double first = 0.5, most = 60;  // seconds: first x 2^tries, at most `most`
  double longest_asked = 900;     // a server that asks to wait longer than this gets no further try
};

// Seconds until the next try after `tries` failed ones (>= 1); `chance` in [0, 1).
//   the server said retry-after: that long, and up to a tenth (at most 2 s) more, so that not all come back at once
//   else: first x 2^(tries-1), at most `most`, less up to a quarter
// nullopt: no further try: not retryable, tries > retries, or longer than longest_asked.
std::optional<double> backoff_seconds(const BackoffRules& rules, const ApiError& error, int tries, int retries, double chance);

}  // namespace kbx::llm
