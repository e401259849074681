// scrub(): text without secrets and without people's names in paths. What it takes for a secret is by form: keys of
// known services, private keys, tokens in headers and addresses, values assigned to names like "api_key". A secret of
// no known form under no telling name stays: the card says so.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kbx::dataset {

// How many of each kind were taken out: "api key", "private key", "token", "password", "address", "user name".
using ScrubCounts = std::map<std::string, int64_t>;

// Each becomes "[REMOVED api key]" and the like, a user's name in a path "user". Idempotent; linear; valid UTF-8 stays so.
std::string scrub(std::string_view text, ScrubCounts& counts);

}  // namespace kbx::dataset
