#include "llm/secret.h"

#include <fmt/format.h>
#include <string.h>  // explicit_bzero

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "base/text.h"
#include "llm/api_error.h"
#include "llm/key_command.h"

namespace kbx::llm {
namespace {

constexpr size_t kShortestKey = 6;  // a shorter one would be found everywhere: it masks nothing

// Names whose value is never shown, in "name: value" and "name=value".
constexpr std::array<std::string_view, 7> kSecretNames{"authorization", "x-api-key", "api-key", "api_key", "x-goog-api-key", "set-cookie", "cookie"};
constexpr std::array<std::string_view, 14> kShownHeaders{"content-type", "content-encoding", "date", "retry-after", "retry-after-ms", "x-should-retry",
                                                         "request-id", "x-request-id", "server", "openai-processing-ms", "openai-version",
                                                         "openai-model", "location", "via"};
constexpr std::array<std::string_view, 2> kShownPrefixes{"anthropic-ratelimit-", "x-ratelimit-"};

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_'; }
bool same_letters(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         });
}

std::string percent_encoded(const std::string& key) {
  std::string out;
  for (char c : key)
    if (word_char(c) || c == '.' || c == '~') out += c;
    else out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

void replace_all(std::string& text, const std::string& what, std::string_view with) {
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size()) text.replace(at, what.size(), with);
}

// Where the value that begins at `at` ends: the end of the line, or of the string that it stands in.
size_t value_end(std::string_view text, size_t at) {
  while (at < text.size() && text[at] != '\n' && text[at] != '\r' && text[at] != '"' && text[at] != '\'' && text[at] != ',' && text[at] != '}') at++;
  return at;
}

// `authorization: x`, `"x-api-key": "x"`, `api_key=x`.
std::string without_values(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if ((i && word_char(text[i - 1])) || !word_char(text[i])) {
      out += text[i++];
      continue;
    }
    size_t end = i;
    while (end < text.size() && word_char(text[end])) end++;
    std::string_view name = text.substr(i, end - i);
    out += name;
    i = end;
    if (std::none_of(kSecretNames.begin(), kSecretNames.end(), [&](std::string_view s) { return same_letters(name, s); })) continue;
    size_t at = i;
    while (at < text.size() && (text[at] == '"' || text[at] == '\'' || text[at] == ' ')) at++;
    if (at >= text.size() || (text[at] != ':' && text[at] != '=')) continue;
    at++;
    while (at < text.size() && (text[at] == '"' || text[at] == '\'' || text[at] == ' ')) at++;
    size_t stop = value_end(text, at);
    out += text.substr(i, at - i);
    if (stop > at) out += "[key]";
    i = stop;
  }
  return out;
}

// "\u0061\/" -> "a/": escapes of ASCII letters; a key has no others.
std::string without_escapes(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (size_t i = 0; i < json.size(); i++) {
    size_t escape = std::min(json.find('\\', i), json.size());
    out += json.substr(i, escape - i);
    if ((i = escape) == json.size()) break;
    unsigned code = 0;
    std::string_view digits = json.substr(i, 6).substr(std::min<size_t>(2, json.size() - i));
    if (i + 1 == json.size()) {
      out += json[i];
    } else if (json[i + 1] == 'u' && digits.size() == 4 && std::from_chars(digits.data(), digits.data() + 4, code, 16).ptr == digits.data() + 4 && code < 128) {
      out += char(code);
      i += 5;
    } else {
      out += json[++i];
    }
  }
  return out;
}

// scheme://user:password@host/path?query -> scheme://host/path?[query]
std::string without_url_parts(std::string_view text) {
  std::string out;
  size_t i = 0;
  for (size_t at; (at = text.find("://", i)) != text.npos;) {
    at += 3;
    out += text.substr(i, at - i);
    size_t end = at;
    while (end < text.size() && !std::isspace(static_cast<unsigned char>(text[end])) && std::string_view("\"'<>)`,;").find(text[end]) == std::string_view::npos) end++;
    std::string_view rest = text.substr(at, end - at);
    std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
    if (size_t user = authority.rfind('@'); user != authority.npos) rest.remove_prefix(user + 1);
    size_t query = rest.find('?');
    out += rest.substr(0, query);
    if (query != rest.npos && query + 1 < rest.size()) out += "?[query]";
    i = end;
  }
  return out += text.substr(i);
}

}  // namespace

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this == &other) return *this;
  wipe();
  value_ = std::move(other.value_);
  other.wipe();
  return *this;
}

void Secret::wipe() {
  if (!value_.empty()) explicit_bzero(value_.data(), value_.size());
  value_.clear();
}

Result<Secret> read_secret(const Provider& provider) {
  std::string value;
  if (!provider.key_env.empty()) {
    const char* found = std::getenv(provider.key_env.c_str());
    if (found && *found) value = trim(found);
    else if (provider.key_cmd.empty())
      return fail(Code::usage, fmt::format("provider {} needs a key: the environment variable {} is not set (key_env in [providers.{}])", provider.name,
                                           provider.key_env, provider.name));
  }
  if (value.empty() && !provider.key_cmd.empty()) {
    auto printed = output_of(provider.key_cmd, 60);
    if (!printed) return fail(Code::usage, fmt::format("provider {}: key_cmd {}", provider.name, printed.error().message));
    value = trim(std::string_view(*printed).substr(0, printed->find('\n')));
    explicit_bzero(printed->data(), printed->size());
    if (value.empty()) return fail(Code::usage, fmt::format("provider {}: key_cmd printed no key", provider.name));
  }
  bool plain = std::all_of(value.begin(), value.end(), [](char c) { return c > ' ' && c < 127; });
  Secret secret(std::move(value));
  if (!plain) return fail(Code::usage, fmt::format("provider {}: its key has spaces, control characters or letters that are not ASCII", provider.name));
  return secret;
}

Result<Keyring> read_keys(const Registry& registry, const std::set<std::string>& models) {
  Keyring out;
  for (const std::string& name : models) {
    auto model = registry.models.find(name);
    if (model == registry.models.end()) return fail(Code::usage, fmt::format("there is no model \"{}\" (kbx models lists them)", name));
    const std::string& provider = model->second.provider;
    if (out.contains(provider)) continue;
    KBX_TRY_ASSIGN(Secret secret, read_secret(registry.providers.at(provider)));
    out.emplace(provider, std::move(secret));
  }
  return out;
}

void hide_keys(const Registry& registry) {
  for (const auto& [name, provider] : registry.providers) {
    char* value = provider.key_env.empty() ? nullptr : std::getenv(provider.key_env.c_str());
    if (!value) continue;
    explicit_bzero(value, std::char_traits<char>::length(value));
    unsetenv(provider.key_env.c_str());
  }
}

void Scrubber::add(const Secret& secret) {
  if (secret.reveal().size() < kShortestKey) return;
  keys_.emplace_back(std::string(secret.reveal()));
  if (std::string encoded = percent_encoded(secret.reveal()); encoded != secret.reveal()) keys_.emplace_back(std::move(encoded));
}

std::string Scrubber::clean(std::string_view text) const {
  std::string out(text);
  for (const Secret& key : keys_) replace_all(out, key.reveal(), "[key]");
  return without_secrets(without_url_parts(without_values(out)));
}

void Scrubber::mask(std::string& bytes) const {
  for (const Secret& key : keys_) replace_all(bytes, key.reveal(), std::string(key.reveal().size(), '*'));
}

bool Scrubber::finds_key(std::string_view text) const {
  return std::any_of(keys_.begin(), keys_.end(), [&](const Secret& key) { return text.find(key.reveal()) != text.npos; });
}

bool Scrubber::finds_key_in_json(std::string_view bytes) const { return bytes.find('\\') != bytes.npos && finds_key(without_escapes(bytes)); }

Headers Scrubber::clean(const Headers& headers) const {
  Headers out;
  for (const auto& [name, value] : headers) {
    bool shown_by_name = std::find(kShownHeaders.begin(), kShownHeaders.end(), name) != kShownHeaders.end();
    bool shown_by_prefix = std::any_of(kShownPrefixes.begin(), kShownPrefixes.end(), [&, &n = name](std::string_view p) { return starts_with(n, p); });
    if (shown_by_name || shown_by_prefix) out.emplace_back(clean(name), clean(value));
  }
  return out;
}

}  // namespace kbx::llm
