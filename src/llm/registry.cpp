// Tables are laid over each other first; then each is checked and read once, its faults named where they stand.
#include "llm/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "base/files.h"
#include "base/text.h"
#include "llm/capabilities.h"
#include "llm/provider_check.h"
#include "llm/provider_keys.h"
#include "toml/reader.h"

namespace kbx::llm {
namespace {

using toml::Faults;
using toml::Node;

struct Layered {
  std::map<std::string, Node> providers, models;
};

DialectName dialect_from(const std::string& text) {
  static const std::map<std::string, DialectName> kNames{
      {"anthropic", DialectName::anthropic}, {"openai", DialectName::openai},     {"deepseek", DialectName::deepseek},
      {"vllm", DialectName::vllm},           {"sglang", DialectName::sglang},     {"llamacpp", DialectName::llamacpp},
      {"transformers", DialectName::transformers}, {"gateway", DialectName::gateway}};
  auto at = kNames.find(text);
  return at == kNames.end() ? DialectName::openai : at->second;
}

void lay_over(Node& under, const Node& over) {
  for (const auto& [key, value] : over.entries) {
    auto at = std::find_if(under.entries.begin(), under.entries.end(), [&, &k = key](const auto& e) { return e.first == k; });
    if (at == under.entries.end()) under.entries.emplace_back(key, value);
    else if (value.kind == Node::Kind::table && at->second.kind == Node::Kind::table) lay_over(at->second, value);
    else at->second = value;
  }
}

// The tables of one section, checked by themselves, so that a fault has its file's name.
void take_section(Faults& faults, const Node& root, const char* section, toml::Keys keys, std::map<std::string, Node>& out) {
  const Node* tables = root.find(section);
  if (!tables) return;
  if (tables->kind != Node::Kind::table) return faults.add(*tables, fmt::format("'{}' must be tables [{}.NAME]", section, section));
  for (const auto& [name, table] : tables->entries) {
    std::string where = fmt::format("[{}.{}]", section, name);
    if (table.kind != Node::Kind::table) {
      faults.add(table, fmt::format("{} must be a table", where));
      continue;
    }
    std::vector<std::string> refused = refuse_secrets(faults, table, where);
    toml::check_table(faults, table, keys, where, refused);
    if (const Node* price = table.find("price"); price && price->kind == Node::Kind::table) toml::check_table(faults, *price, price_keys(), where + " price");
    lay_over(out[name], table);
  }
}

double seconds(const Node& t, const char* key, double fallback) { return std::max(0.0, toml::read_number(t, key, fallback)); }

Provider provider_from(const std::string& name, const Node& t) {
  Provider p;
  p.name = name;
  std::string kind = toml::read_string(t, "kind"), dialect = toml::read_string(t, "dialect");
  if (dialect.empty()) dialect = kind.empty() ? "openai" : kind;
  p.dialect = dialect_from(dialect);
  p.protocol = p.dialect == DialectName::anthropic ? Protocol::anthropic : Protocol::openai;
  p.base_url = toml::read_string(t, "base_url");
  while (ends_with(p.base_url, "/")) p.base_url.pop_back();
  p.key_env = toml::read_string(t, "key_env");
  p.key_cmd = toml::read_string(t, "key_cmd");
  p.proxy = toml::read_string(t, "proxy");
  p.ca_bundle = toml::read_string(t, "ca_bundle");
  p.limits.requests_per_minute = seconds(t, "rpm", 0);
  p.limits.input_tokens_per_minute = seconds(t, "itpm", 0);
  p.limits.output_tokens_per_minute = seconds(t, "otpm", 0);
  p.limits.concurrency = int(toml::read_int(t, "concurrency", p.limits.concurrency));
  p.retries = int(toml::read_int(t, "retries", p.retries));
  Deadlines& d = p.deadlines;
  d.connect = seconds(t, "connect_seconds", d.connect);
  d.first_token = seconds(t, "first_token_seconds", d.first_token);
  d.idle = seconds(t, "idle_seconds", d.idle);
  d.total = seconds(t, "total_seconds", d.total);
  return p;
}

std::optional<double> price_of(const Node& price, const char* key) {
  const Node* n = price.find(key);
  return n && n->is_number() ? std::optional(n->number()) : std::nullopt;
}

void read_capabilities(const Node& t, Capabilities& can) {
  struct Flag {
    const char* key;
    bool Capabilities::*field;
  };
  static constexpr Flag kFlags[] = {{"sampling", &Capabilities::sampling},
                                    {"temperature_or_top_p", &Capabilities::temperature_or_top_p},
                                    {"budget_thinking", &Capabilities::budget_thinking},
                                    {"adaptive_thinking", &Capabilities::adaptive_thinking},
                                    {"effort", &Capabilities::effort},
                                    {"thinks_by_default", &Capabilities::thinks_by_default},
                                    {"always_thinks", &Capabilities::always_thinks},
                                    {"seed", &Capabilities::seed},
                                    {"schema", &Capabilities::schema},
                                    {"max_completion_tokens", &Capabilities::max_completion_tokens}};
  for (const Flag& f : kFlags) can.*f.field = toml::read_bool(t, f.key, can.*f.field);
  can.temperature_max = toml::read_number(t, "temperature_max", can.temperature_max);
  can.max_output = std::max<int64_t>(0, toml::read_int(t, "max_output", can.max_output));
  can.context = std::max<int64_t>(0, toml::read_int(t, "context", can.context));
}

Model model_from(const std::string& name, const Node& t, DialectName dialect) {
  Model m;
  m.name = name;
  m.provider = toml::read_string(t, "provider");
  m.id = toml::read_string(t, "id");
  m.can = capabilities_of(dialect, m.id);
  read_capabilities(t, m.can);
  if (const Node* price = t.find("price"); price && price->kind == Node::Kind::table) {
    m.price = {price_of(*price, "in"), price_of(*price, "cached"), price_of(*price, "cache_write"), price_of(*price, "out"), toml::read_string(*price, "date")};
  }
  m.contamination = toml::read_strings(t, "contamination");
  m.source = toml::read_string(t, "source");
  return m;
}

// What only the whole can say: names that lead nowhere, keys that are still missing. Lines would be those of either file.
Result<Registry> assemble(const Layered& tables) {
  Registry out;
  std::vector<std::string> wrong, known;
  for (const auto& [name, table] : tables.providers) {
    out.providers[name] = provider_from(name, table);
    known.push_back(name);
    if (out.providers[name].base_url.empty()) wrong.push_back(fmt::format("[providers.{}]: 'base_url' is missing", name));
  }
  for (const auto& [name, table] : tables.models) {
    std::string provider = toml::read_string(table, "provider");
    auto at = out.providers.find(provider);
    if (provider.empty()) wrong.push_back(fmt::format("[models.{}]: 'provider' is missing", name));
    else if (at == out.providers.end())
      wrong.push_back(fmt::format("[models.{}]: there is no [providers.{}]{}", name, provider, toml::did_you_mean(provider, known)));
    if (toml::read_string(table, "id").empty()) wrong.push_back(fmt::format("[models.{}]: 'id' is missing", name));
    out.models[name] = model_from(name, table, at == out.providers.end() ? DialectName::openai : at->second.dialect);
  }
  if (wrong.empty()) return out;
  return fail(Code::usage, fmt::format("{}", fmt::join(wrong, "\n")));
}

}  // namespace

Result<Registry> read_registry(const std::vector<RegistryText>& files) {
  Layered tables;
  std::string faults_text;
  for (const RegistryText& file : files) {
    KBX_TRY_ASSIGN(Node root, toml::parse(file.text, file.name));
    Faults faults(file.name);
    take_section(faults, root, "providers", provider_keys(), tables.providers);
    take_section(faults, root, "models", model_keys(), tables.models);
    if (const Node* providers = root.find("providers"))
      for (const auto& [name, table] : providers->entries) check_provider(faults, table, fmt::format("[providers.{}]", name));
    if (!faults.none()) faults_text += (faults_text.empty() ? "" : "\n") + faults.text();
  }
  if (!faults_text.empty()) return fail(Code::usage, faults_text);
  return assemble(tables);
}

Result<Registry> load_registry(const std::filesystem::path& shipped, const std::filesystem::path& own) {
  KBX_TRY_ASSIGN(std::string text, read_file(shipped));
  std::vector<RegistryText> files{{shipped.string(), std::move(text)}};
  std::error_code ec;
  if (!own.empty() && std::filesystem::exists(own, ec)) {
    KBX_TRY_ASSIGN(std::string mine, read_file(own));
    files.push_back({own.string(), std::move(mine)});
  }
  return read_registry(files);
}

}  // namespace kbx::llm
