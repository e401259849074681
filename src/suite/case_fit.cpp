// Names, required arguments, variadic lists, copies.
#include "suite/case_fit.h"

#include <fmt/core.h>

#include <charconv>

#include "suite/signature.h"
#include "toml/reader.h"

namespace kbx::suite {
namespace {

using Misfits = std::vector<std::pair<std::string, std::string>>;

void check_copies(const Case& which, const std::string& name, const ArgSpec& arg, Misfits& out) {
  for (const ArgSpec& item : arg.items) check_copies(which, name, item, out);
  if (arg.kind != ArgSpec::Kind::copy_of) return;
  const ArgSpec* source = find_spec(which, arg.text);
  if (!source)
    out.emplace_back(name, fmt::format("copy_of = \"{}\": the case has no such argument", arg.text));
  else if (source->kind != ArgSpec::Kind::tensor)
    out.emplace_back(name, fmt::format("copy_of = \"{}\": that is not a tensor", arg.text));
}

bool empty_list(const ArgSpec& arg) { return arg.items.empty(); }

void check_variadic(const Signature& signature, const Case& which, Misfits& out) {
  bool gap = false;
  for (const Parameter& p : signature.parameters) {
    auto it = which.args.find(p.name);
    if (p.kind == Parameter::Kind::positional) gap |= it == which.args.end();
    if (p.kind != Parameter::Kind::variadic || it == which.args.end()) continue;
    if (it->second.kind != ArgSpec::Kind::list && it->second.kind != ArgSpec::Kind::tuple)
      out.emplace_back(p.name, fmt::format("'*{}' takes a list", p.name));
    else if (gap && !empty_list(it->second))
      out.emplace_back(p.name, fmt::format("'*{}' cannot be given while a parameter before it is not", p.name));
  }
}

}  // namespace

Misfits case_misfits(const Signature& signature, const Case& which) {
  Misfits out;
  std::vector<std::string> known;
  for (const Parameter& p : signature.parameters) known.push_back(p.name);
  for (const auto& [name, arg] : which.args) {
    if (!find_parameter(signature, name))
      out.emplace_back(name,
                       fmt::format("'{}' is no parameter of {}{}", name, signature.name, toml::did_you_mean(name, known)));
    check_copies(which, name, arg, out);
  }
  for (const Parameter& p : signature.parameters)
    if (!p.default_text && p.kind != Parameter::Kind::variadic && !which.args.count(p.name))
      out.emplace_back("", fmt::format("argument '{}' is missing: it has no default", p.name));
  check_variadic(signature, which, out);
  return out;
}

const ArgSpec* find_spec(const Case& which, const std::string& path) {
  size_t open = path.find('[');
  auto it = which.args.find(path.substr(0, open));
  if (it == which.args.end()) return nullptr;
  const ArgSpec* at = &it->second;
  while (open != path.npos) {
    size_t index = 0, close = path.find(']', open);
    if (close == path.npos) return nullptr;
    auto r = std::from_chars(path.data() + open + 1, path.data() + close, index);
    if (r.ec != std::errc() || r.ptr != path.data() + close || index >= at->items.size()) return nullptr;
    at = &at->items[index];
    open = close + 1 < path.size() ? close + 1 : path.npos;
    if (open != path.npos && path[open] != '[') return nullptr;
  }
  return at;
}

}  // namespace kbx::suite
