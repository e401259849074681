// Small text functions used in many rooms.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace kbx {

std::vector<std::string> split(std::string_view text, char at);
std::vector<std::string> split_lines(std::string_view text);  // without line ends; CRLF and CR count as one
std::string trim(std::string_view text);
bool starts_with(std::string_view text, std::string_view prefix);
bool ends_with(std::string_view text, std::string_view suffix);
// Levenshtein distance; nearest() gives up to `most` names within reach, best first ("did you mean").
size_t edit_distance(std::string_view a, std::string_view b);
std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& names, size_t most = 3);
// Valid UTF-8: invalid bytes become U+FFFD; cut to at most `most` bytes at a character's border with a note.
std::string clean_utf8(std::string_view bytes, size_t most = size_t(-1));
// clean_utf8, and control characters but line end and tab become "?": nothing a candidate wrote can steer a terminal.
std::string shown(std::string_view bytes, size_t most = size_t(-1));
// shown() on one line, for names inside a line or a table's cell: an id with a line end in it must not begin a line that looks like ours.
std::string shown_line(std::string_view bytes, size_t most = size_t(-1));

}  // namespace kbx
