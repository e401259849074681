// The published clear_code, restated.
#include "intake/upstream.h"

namespace kbx::intake {
namespace {

// White space of Python's str.isspace() as UTF-8.
constexpr std::string_view kSpaces[] = {"\t",           "\n",           "\v",           "\f",           "\r",
                                        "\x1c",         "\x1d",         "\x1e",         "\x1f",         " ",
                                        "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81",
                                        "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85", "\xE2\x80\x86",
                                        "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89", "\xE2\x80\x8A", "\xE2\x80\xA8",
                                        "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};

std::string without(std::string_view text, std::string_view what) {
  std::string out;
  size_t at = 0;
  for (size_t next; (next = text.find(what, at)) != text.npos; at = next + what.size())
    out += text.substr(at, next - at);
  return out += text.substr(at);
}

}  // namespace

std::string_view python_strip(std::string_view text) {
  for (bool again = true; again;) {
    again = false;
    for (auto space : kSpaces) {
      while (text.substr(0, space.size()) == space) text.remove_prefix(space.size()), again = true;
      while (text.size() >= space.size() && text.substr(text.size() - space.size()) == space)
        text.remove_suffix(space.size()), again = true;
    }
  }
  return text;
}

std::string upstream_clear_code(std::string_view reply) {
  constexpr std::string_view kOpen = "```python", kFence = "```";
  if (size_t at = reply.find(kOpen); at != reply.npos) reply.remove_prefix(at + kOpen.size());
  reply = reply.substr(0, reply.find(kFence));
  std::string code = without(without(reply, "<|im_end|>"), "<|EOT|>");
  return std::string(python_strip(code));
}

}  // namespace kbx::intake
