// The text of profiles.
#include "model/judgement.h"

namespace kbx {

std::string_view to_text(Profile profile) { return profile == Profile::kbx ? "kbx" : "paper"; }
std::optional<Profile> profile_from_text(std::string_view text) {
  if (text == "kbx") return Profile::kbx;
  if (text == "paper") return Profile::paper;
  return std::nullopt;
}

}  // namespace kbx
