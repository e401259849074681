// Takes a model's private reasoning (<think> ... </think>, also <thinking> and <reasoning>) off a reply.
#pragma once
#include <string_view>

namespace kbx::intake {

struct Reasoning {
  std::string_view answer;     // what follows the reasoning; the whole reply when there is none
  std::string_view reasoning;  // the text inside, without its tags
  bool found = false;
  bool open = false;  // it never ends: there is no answer, the reply was cut while the model still reasoned
};

// Balanced: what follows the last closing tag (and what stands in front of the first opening tag is dropped). Only a
// closing tag: what follows it. Only an opening tag: no answer. Tags in quotes or behind the answer's first fence are
// text, not tags.
Reasoning strip_reasoning(std::string_view reply);

}  // namespace kbx::intake
