// [methods.NAME] -> Method (docs/methods.md): presets, a user's own file and kbx.toml have one form.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "agent/method.h"
#include "base/result.h"
#include "toml/reader.h"

namespace kbx::agent {

using Methods = std::map<std::string, Method, std::less<>>;

// The table `methods` of a file. Every fault is noted; a method with a fault is left out. `into` holds the methods that
// `like = "NAME"` may start from; those read are added, a new one of the same name wins.
void read_methods(toml::Faults& faults, const toml::Node& methods, std::string_view file, Methods& into);
// A file of [methods.NAME] tables. Error (code usage): every fault, one line each.
Result<void> parse_methods(std::string_view text, const std::string& filename, Methods& into);

}  // namespace kbx::agent
