// kbx methods and kbx models: what there is to run.
#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/method_session.h"
#include "cli/terminal.h"
#include "report/text_table.h"

namespace kbx::cli {
namespace {

using Align = report::TextTable::Align;

Result<int> list_methods(bool json) {
  KBX_TRY_ASSIGN(MethodSession session, open_methods({}));
  report::TextTable table({{"method"}, {"loop"}, {"model"}, {"calls a task", Align::right}, {"feedback"}, {"what it does"}});
  Json out = Json::array();
  for (const auto& [name, m] : session.methods) {
    table.add({name, std::string(to_text(m.loop)), m.model, fmt::format("<= {}", agent::most_calls(m)), std::string(to_text(m.feedback)), m.summary});
    out.push_back({{"name", name}, {"loop", to_text(m.loop)}, {"model", m.model}, {"most_calls", agent::most_calls(m)}, {"feedback", to_text(m.feedback)}, {"summary", m.summary}, {"file", m.source}});
  }
  print(json ? dump_json(out, 2) + "\n" : table.text() + "A method of your own: [methods.NAME] in kbx.toml or any FILE.toml (docs/methods.md)\n");
  return kEvaluated;
}

constexpr std::array<std::string_view, 8> kDialects{"anthropic", "openai", "deepseek", "vllm", "sglang", "llamacpp", "transformers", "gateway"};  // as the enum

std::string price_text(const std::optional<double>& p) { return p ? fmt::format("{:g}", *p) : "-"; }
std::string limit_text(int64_t n) { return n > 0 ? (n % 1000 == 0 ? fmt::format("{}k", n / 1000) : std::to_string(n)) : "-"; }

Result<int> list_models(bool json) {
  KBX_TRY_ASSIGN(llm::Registry registry, open_registry());
  report::TextTable table({{"model"}, {"provider"}, {"id"}, {"in", Align::right}, {"cached", Align::right}, {"out $/M", Align::right}, {"as of"}, {"context", Align::right}, {"reply", Align::right}, {"has seen"}});
  Json out = Json::array();
  for (const auto& [name, m] : registry.models) {
    std::string seen;
    for (const auto& c : m.contamination) seen += (seen.empty() ? "" : "; ") + c;
    table.add({name, m.provider, m.id, price_text(m.price.in), price_text(m.price.cached), price_text(m.price.out), m.price.date.empty() ? "-" : m.price.date, limit_text(m.can.context),
               limit_text(m.can.max_output), seen.empty() ? "-" : seen});
    Json price = Json::object();
    for (auto [key, value] : {std::pair{"in", m.price.in}, {"cached", m.price.cached}, {"cache_write", m.price.cache_write}, {"out", m.price.out}})
      if (value) price[key] = *value;
    price["date"] = m.price.date;
    out.push_back({{"name", name}, {"provider", m.provider}, {"id", m.id}, {"price", price}, {"context", m.can.context}, {"max_output", m.can.max_output}, {"contamination", m.contamination}, {"source", m.source}});
  }
  if (json) {
    print(dump_json(out, 2) + "\n");
    return kEvaluated;
  }
  print(table.text());
  report::TextTable providers({{"provider"}, {"dialect"}, {"address"}, {"key from"}, {"calls at a time", Align::right}});
  for (const auto& [name, p] : registry.providers)
    providers.add({name, std::string(kDialects[size_t(p.dialect)]), p.base_url, !p.key_env.empty() ? "$" + p.key_env : p.key_cmd.empty() ? "none needed" : "a command", std::to_string(p.limits.concurrency)});
  print("\n" + providers.text() + "Prices are in US dollars per million tokens; - is not known. Your own: [providers.NAME], [models.NAME] in kbx.toml (docs/transport.md). kbx doctor --models asks each once.\n");
  return kEvaluated;
}

std::function<int()> table_of(CLI::App& app, Result<int> (*list)(bool)) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "as JSON");
  return [json, list] {
    auto code = list(*json);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace

std::function<int()> setup_methods(CLI::App& app) { return table_of(app, list_methods); }
std::function<int()> setup_models(CLI::App& app) { return table_of(app, list_models); }

}  // namespace kbx::cli
