// Secret: a key. It has no text form: it cannot be printed, formatted, compared, copied into JSON or logged by accident;
// only reveal() gives the bytes, and transport.cpp alone calls it to fill a header.
// Scrubber: takes keys, and what looks like one, out of text that others wrote.
#pragma once
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "llm/dialect.h"
#include "llm/provider.h"

namespace kbx::llm {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}
  Secret(Secret&& other) noexcept : value_(std::move(other.value_)) { other.wipe(); }
  Secret& operator=(Secret&& other) noexcept;
  ~Secret() { wipe(); }
  friend std::ostream& operator<<(std::ostream&, const Secret&) = delete;

  bool empty() const { return value_.empty(); }
  const std::string& reveal() const { return value_; }

 private:
  void wipe();
  std::string value_;
};

// The provider's key: its environment variable, or the first line that its command prints (run by /bin/sh; 60 s). Empty
// when the provider wants none. Errors (code usage) name the variable or the command, never what they held.
Result<Secret> read_secret(const Provider& provider);

// A key for every provider that one of these models names.
using Keyring = std::map<std::string, Secret>;
Result<Keyring> read_keys(const Registry& registry, const std::set<std::string>& models);

// Takes the variables of all providers' keys out of this process's environment, their bytes too: no program that kbx starts
// from now on inherits them. To be called while there is one thread.
void hide_keys(const Registry& registry);

class Scrubber {
 public:
  void add(const Secret& secret);
  // Keys that were added (as they are, and percent-encoded), values of Authorization, x-api-key, api-key and cookie
  // headers, user and query of URLs, and whatever has the form of a vendor's key.
  std::string clean(std::string_view text) const;
  // Only the keys that were added, each byte as '*': the length stays.
  void mask(std::string& bytes) const;
  bool finds_key(std::string_view text) const;
  // The same in JSON that spells letters as \u0061 or \/.
  bool finds_key_in_json(std::string_view bytes) const;
  // Of an allow-list, cleaned: what says how an answer was made and limited; no cookies, no addresses.
  Headers clean(const Headers& headers) const;

 private:
  std::vector<Secret> keys_;
};

}  // namespace kbx::llm
