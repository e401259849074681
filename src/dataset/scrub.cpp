// scrub(): see the header. Scanners by hand: std::regex recurses over long texts, and these are hostile.
#include "dataset/scrub.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace kbx::dataset {
namespace {

bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_alpha(c) || (c >= '0' && c <= '9') || c == '_'; }
bool is_key(char c) { return is_word(c) || c == '-'; }
bool is_token(char c) { return is_key(c) || c == '.' || c == '+' || c == '/' || c == '=' || c == '~'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

// Replies may be JSON: there a line begins behind the two characters of "\n".
bool after_escape(std::string_view text, size_t at) { return at > 1 && text[at - 2] == '\\' && is_alpha(text[at - 1]); }
bool begins_word(std::string_view text, size_t at) { return is_word(text[at]) && (at == 0 || !is_word(text[at - 1]) || after_escape(text, at)); }

size_t run_of(std::string_view text, size_t from, bool (*is)(char)) {
  size_t end = from;
  while (end < text.size() && is(text[end])) end++;
  return end - from;
}

bool matches_nocase(std::string_view text, size_t at, std::string_view word) {
  if (text.size() - at < word.size()) return false;
  return std::equal(word.begin(), word.end(), text.begin() + long(at), [](char a, char b) { return a == lower(b); });
}

// Keys that say what they are: a prefix, then at least so many characters.
struct KeyForm {
  std::string_view prefix;
  size_t least;
};
constexpr std::array kKeyForms = {KeyForm{"sk-", 20},   KeyForm{"sk_live_", 16}, KeyForm{"sk_test_", 16}, KeyForm{"ghp_", 30},  KeyForm{"gho_", 30},        KeyForm{"ghs_", 30},
                                  KeyForm{"ghu_", 30},  KeyForm{"hf_", 20},      KeyForm{"AKIA", 16},     KeyForm{"ASIA", 16},  KeyForm{"github_pat_", 30}, KeyForm{"AIza", 30},
                                  KeyForm{"xoxb-", 20}, KeyForm{"xoxp-", 20},    KeyForm{"xoxa-", 20},    KeyForm{"glpat-", 18}, KeyForm{"npm_", 30},        KeyForm{"pypi-", 40},
                                  KeyForm{"nvapi-", 20}, KeyForm{"gsk_", 30},    KeyForm{"r8_", 30},      KeyForm{"ya29.", 20}};

// Names whose value is a secret when a literal is assigned to them.
constexpr std::array<std::string_view, 10> kSecretNames = {"api_key", "apikey", "api-key", "secret_key", "access_key", "access_token", "auth_token", "password", "passwd", "client_secret"};

// One thing found: bytes [at, at + size) become `by`.
struct Hit {
  size_t size = 0;
  std::string kind, by;
};
std::string removed(const std::string& kind) { return "[REMOVED " + kind + "]"; }

Hit known_key(std::string_view text, size_t at) {
  for (const KeyForm& f : kKeyForms) {
    if (text.substr(at, f.prefix.size()) != f.prefix) continue;
    size_t body = run_of(text, at + f.prefix.size(), is_key);
    if (body < f.least) continue;
    std::string_view all = text.substr(at + f.prefix.size(), body);  // words joined by lines are no key
    if (std::none_of(all.begin(), all.end(), [](char c) { return c >= '0' && c <= '9'; })) continue;
    return {f.prefix.size() + body, "api key", removed("api key")};
  }
  return {};
}

Hit private_key(std::string_view text, size_t at) {
  if (text.substr(at, 11) != "-----BEGIN " || text.substr(at, 60).find("PRIVATE KEY") == text.npos) return {};
  size_t end = text.find("-----END ", at);
  if (end == text.npos) return {text.size() - at, "private key", removed("private key")};
  size_t close = text.find("-----", end + 9);
  return {(close == text.npos ? text.size() : close + 5) - at, "private key", removed("private key")};
}

// Three parts of base64url, the first of which is a JSON object.
Hit web_token(std::string_view text, size_t at) {
  if (text.substr(at, 3) != "eyJ") return {};
  size_t size = run_of(text, at, [](char c) { return is_key(c) || c == '.'; });
  std::string_view all = text.substr(at, size);
  if (size < 40 || std::count(all.begin(), all.end(), '.') < 2) return {};
  return {size, "token", removed("token")};
}

Hit bearer(std::string_view text, size_t at) {
  if (!matches_nocase(text, at, "bearer ")) return {};
  size_t size = run_of(text, at + 7, is_token);
  if (size < 16) return {};
  return {7 + size, "token", std::string(text.substr(at, 7)) + removed("token")};
}

// scheme://user:password@host; found at "://".
Hit address_password(std::string_view text, size_t at) {
  if (text.substr(at, 3) != "://") return {};
  size_t size = run_of(text, at + 3, [](char c) { return c > ' ' && c != '/' && c != '"' && c != '\'' && c != '@' && c != '<' && c != '>'; });
  size_t end = at + 3 + size;
  if (end >= text.size() || text[end] != '@' || text.substr(at + 3, size).find(':') == text.npos) return {};
  return {end - at, "password", "://" + removed("password")};
}

// name = "value", name: value, --name=value. The value alone goes.
Hit assigned(std::string_view text, size_t at) {
  for (std::string_view name : kSecretNames) {
    if (!matches_nocase(text, at, name)) continue;
    size_t k = at + name.size();
    auto skip = [&](std::string_view any) {
      while (k < text.size() && any.find(text[k]) != any.npos) k++;
    };
    skip("\"'");
    skip(" ");
    if (k >= text.size() || (text[k] != '=' && text[k] != ':')) return {};
    k++;
    skip(" ");
    char quote = k < text.size() && (text[k] == '"' || text[k] == '\'') ? text[k] : '\0';
    if (quote) k++;
    size_t size = run_of(text, k, [](char c) { return c > ' ' && c != '"' && c != '\'' && c != ',' && c != ';' && c != ')' && c != '}' && c != '(' && c != '['; });
    bool closed = quote && k + size < text.size() && text[k + size] == quote;
    bool telling = std::any_of(text.begin() + long(k), text.begin() + long(k + size), [](char c) { return c >= '0' && c <= '9'; });
    if (size < 8 || (!closed && !telling)) return {};  // a variable, a call, a placeholder
    return {k + size - at, "password", std::string(text.substr(at, k - at)) + removed("password")};
  }
  return {};
}

// /home/NAME/, /Users/NAME/, C:\Users\NAME\.
Hit home_folder(std::string_view text, size_t at) {
  for (std::string_view root : {"/home/", "/Users/", "\\Users\\"}) {
    if (text.substr(at, root.size()) != root) continue;
    size_t size = run_of(text, at + root.size(), [](char c) { return is_key(c) || c == '.'; });
    std::string_view name = text.substr(at + root.size(), size);
    if (size == 0 || name == "user") return {};
    return {root.size() + size, "user name", std::string(root) + "user"};
  }
  return {};
}

// Found at its first character.
Hit mail(std::string_view text, size_t at) {
  auto local = [](char c) { return is_key(c) || c == '.' || c == '+'; };
  if (at > 0 && text[at - 1] == '\\') return {};  // "\n@triton.jit": the letter belongs to the escape
  if (at > 0 && !after_escape(text, at) && (local(text[at - 1]) || text[at - 1] == '@')) return {};
  size_t size = run_of(text, at, local), end = at + size + 1;
  if (size == 0 || size > 64 || end >= text.size() || text[end - 1] != '@') return {};
  size_t host = run_of(text, end, [](char c) { return is_key(c) || c == '.'; });
  while (host > 0 && text[end + host - 1] == '.') host--;
  std::string_view name = text.substr(end, host);
  size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0 || name.size() - dot < 3 || !std::all_of(name.begin() + long(dot) + 1, name.end(), is_alpha)) return {};
  return {end + host - at, "address", removed("address")};
}

// A long run of letters must not be measured from each of them.
Hit find(std::string_view text, size_t at, bool starts_word) {
  switch (text[at]) {
    case '-': return private_key(text, at);
    case ':': return address_password(text, at);
    case '/':
    case '\\': return home_folder(text, at);
    default: break;
  }
  bool after_letter = at > 0 && is_alpha(text[at - 1]);
  if (!starts_word && (after_letter || !is_alpha(text[at]))) return {};
  using Look = Hit (*)(std::string_view, size_t);
  for (Look look : {known_key, web_token, bearer, assigned}) {
    if ((look == known_key || look == web_token) && !starts_word) continue;
    if (Hit hit = look(text, at); hit.size) return hit;
  }
  return starts_word ? mail(text, at) : Hit();
}

}  // namespace

std::string scrub(std::string_view text, ScrubCounts& counts) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    Hit hit = find(text, at, begins_word(text, at));
    if (!hit.size) {
      out += text[at++];
      continue;
    }
    counts[hit.kind]++;
    out += hit.by;
    at += hit.size;
  }
  return out;
}

}  // namespace kbx::dataset
