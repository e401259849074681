// Sink: where a report's bytes go. Big reports are handed over in pieces; whoever owns the file keeps its errors.
#pragma once
#include <functional>
#include <string_view>

namespace kbx::report {

using Sink = std::function<void(std::string_view bytes)>;

}  // namespace kbx::report
