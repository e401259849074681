// shown_line(): shown() (base/text.h) on one line, for names inside a line or a table's cell: an id with a line end in it
// must not begin a line that looks like ours.
#pragma once
#include <string>
#include <string_view>

namespace kbx {

std::string shown_line(std::string_view bytes, size_t most = size_t(-1));

}  // namespace kbx
