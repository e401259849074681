// kbx config: effective settings and where each came from.
#include "base/json.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/home.h"
#include "cli/settings.h"
#include "cli/terminal.h"
#include "report/text_table.h"

namespace kbx::cli {
namespace {

Result<int> show_config(bool json) {
  KBX_TRY_ASSIGN(Settings settings, Settings::load({}));
  report::TextTable table({{"setting"}, {"value"}, {"from"}, {"meaning"}});
  Json out = Json::object();
  for (const Setting& s : all_settings()) {
    auto entry = settings.entries().at(s.name);
    if (entry.value.empty() && std::string(s.name) == "python")
      if (auto python = find_python(settings)) entry = {*python, "found"};
    table.add({s.name, entry.value.empty() ? "-" : entry.value, entry.origin, s.help});
    out[s.name] = {{"value", entry.value}, {"origin", entry.origin}};
  }
  print(json ? dump_json(out, 2) + "\n" : table.text());
  return kEvaluated;
}

}  // namespace

std::function<int()> setup_config(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "as JSON");
  app.footer("Settings come from flags, then KBX_* variables, then ./kbx.toml, then defaults.");
  return [json] {
    auto code = show_config(*json);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
