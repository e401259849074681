// The bridge from CLI11 options to settings.
#include "base/check.h"
#include "cli/command.h"
#include "cli/settings.h"

namespace kbx::cli {

void add_settings(CLI::App& app, Flags& flags, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const Setting* setting = nullptr;
    for (const Setting& s : all_settings())
      if (std::string(s.name) == name) setting = &s;
    KBX_CHECK(setting);
    std::string help = setting->help;
    if (*setting->fallback) help += std::string(" [") + setting->fallback + "]";
    if (setting->bare) {
      app.add_flag_callback("--" + std::string(name), [&flags, key = std::string(name)] { flags[key] = "on"; }, setting->help);
      continue;
    }
    app.add_option_function<std::string>("--" + std::string(name), [&flags, key = std::string(name)](const std::string& v) { flags[key] = v; }, help);
  }
}

}  // namespace kbx::cli
