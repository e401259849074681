// Finding the line of 146 '#'.
#include "intake/published_tests.h"

namespace kbx::intake {

std::string_view before_published_tests(std::string_view text) {
  size_t run = 0;
  for (size_t i = 0; i < text.size(); i++) {
    run = text[i] == '#' ? run + 1 : 0;
    if (run == kRulerLength) return text.substr(0, i + 1 - kRulerLength);
  }
  return text;
}

}  // namespace kbx::intake
