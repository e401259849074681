#include "llm/provider_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"
#include "llm/registry.h"

namespace kbx::llm {
namespace {

using toml::Node;
using Kind = toml::Node::Kind;

constexpr std::array<std::string_view, 10> kSecretKeys{"key", "api_key", "apikey", "api-key", "token", "secret", "password", "auth_token", "authorization", "x-api-key"};
constexpr std::array<std::string_view, 6> kKeyForms{"sk-", "gsk_", "hf_", "xai-", "AIza", "Bearer "};
constexpr const char* kAdvice = "kbx reads no keys from files: put it into an environment variable and name that with key_env, or let key_cmd print it";

std::string_view text_of(const Node& table, const char* key) {
  const Node* n = table.find(key);
  return n && n->kind == Kind::string ? std::string_view(n->text) : std::string_view();
}

// scheme://AUTHORITY/...
std::string_view authority_of(std::string_view url) {
  size_t at = url.find("://");
  if (at == url.npos) return {};
  url.remove_prefix(at + 3);
  return url.substr(0, url.find_first_of("/?#"));
}

std::string_view host_of(std::string_view url) {
  std::string_view authority = authority_of(url);
  if (size_t user = authority.rfind('@'); user != authority.npos) authority.remove_prefix(user + 1);
  if (starts_with(authority, "[")) return authority.substr(0, authority.find(']') + 1);
  return authority.substr(0, authority.find(':'));
}

bool looks_like_key(std::string_view text) {
  return std::any_of(kKeyForms.begin(), kKeyForms.end(), [&](std::string_view form) { return starts_with(text, form); });
}

bool is_variable(std::string_view name) {
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

}  // namespace

bool is_loopback(std::string_view url) {
  std::string_view host = host_of(url);
  if (host == "localhost" || host == "[::1]") return true;
  auto parts = split(host, '.');  // 127.0.0.1, not 127.example.com
  return parts.size() == 4 && parts[0] == "127" && std::all_of(parts.begin(), parts.end(), [](const std::string& p) {
           return !p.empty() && p.size() <= 3 && std::all_of(p.begin(), p.end(), [](char c) { return c >= '0' && c <= '9'; });
         });
}

std::vector<std::string> refuse_secrets(toml::Faults& faults, const Node& table, const std::string& where) {
  std::vector<std::string> refused;
  for (const auto& [name, value] : table.entries) {
    bool by_name = std::find(kSecretKeys.begin(), kSecretKeys.end(), name) != kSecretKeys.end();
    bool by_value = value.kind == Kind::string && looks_like_key(value.text);
    if (!by_name && !by_value) continue;
    faults.add(value, fmt::format("{}: '{}' {}; {}", where, name, by_name ? "is refused" : "holds a key", kAdvice));
    refused.push_back(name);
  }
  return refused;
}

void check_provider(toml::Faults& faults, const Node& table, const std::string& where) {
  if (table.kind != Kind::table) return;
  auto complain = [&](const char* key, const std::string& what) { faults.add(*table.find(key), fmt::format("{}: {}", where, what)); };
  if (std::string_view name = text_of(table, "key_env"); !name.empty() && !is_variable(name) && !looks_like_key(name))
    complain("key_env", fmt::format("'key_env' must be the name of an environment variable; {}", kAdvice));
  std::string_view url = text_of(table, "base_url");
  if (!url.empty()) {
    if (authority_of(url).find('@') != url.npos || url.find('?') != url.npos) complain("base_url", fmt::format("'base_url' holds a user or a query; {}", kAdvice));
    else if (starts_with(url, "http://") && !is_loopback(url))
      complain("base_url", "http:// would send the key and the prompts in the clear: only https://, or http:// to this machine (localhost, 127.0.0.1, [::1])");
    else if ((!starts_with(url, "http://") && !starts_with(url, "https://")) || host_of(url).empty())
      complain("base_url", "'base_url' must begin with https:// and name a host");
  }
  if (authority_of(text_of(table, "proxy")).find('@') != url.npos)
    complain("proxy", "'proxy' holds a user and perhaps a password: leave it out and set the environment variable https_proxy");
  std::string_view kind = text_of(table, "kind"), dialect = text_of(table, "dialect");
  if (!kind.empty() && !dialect.empty() && (kind == "anthropic") != (dialect == "anthropic"))
    complain("dialect", fmt::format("dialect = \"{}\" is not of kind = \"{}\"", dialect, kind));
  struct Least {
    const char* key;
    double least;
  };
  static constexpr Least kLeast[] = {{"rpm", 0}, {"itpm", 0}, {"otpm", 0}, {"concurrency", 1}, {"retries", 0}, {"connect_seconds", 0},
                                     {"first_token_seconds", 0}, {"idle_seconds", 0}, {"total_seconds", 0}};
  for (const Least& l : kLeast)
    if (const Node* n = table.find(l.key); n && n->is_number() && !(n->number() >= l.least && n->number() <= 1e9))
      complain(l.key, fmt::format("'{}' must be at least {:g}", l.key, l.least));
}

}  // namespace kbx::llm
