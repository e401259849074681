// Command: one verb. main.cpp holds the table; each verb is one file cmd_<verb>.cpp.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>

namespace kbx::cli {

// The flags that set a Setting; every verb that needs settings adds those it honours.
using Flags = std::map<std::string, std::string>;
void add_settings(CLI::App& app, Flags& flags, std::initializer_list<const char*> names);

struct Command {
  const char* name;
  const char* summary;
  // Adds options and returns what runs after parsing; the returned function owns the options' storage.
  std::function<int()> (*setup)(CLI::App& app);
};

std::function<int()> setup_eval(CLI::App& app);
std::function<int()> setup_check(CLI::App& app);
std::function<int()> setup_report(CLI::App& app);
std::function<int()> setup_analyze(CLI::App& app);
std::function<int()> setup_diff(CLI::App& app);
std::function<int()> setup_merge(CLI::App& app);
std::function<int()> setup_show(CLI::App& app);
std::function<int()> setup_dataset(CLI::App& app);
std::function<int()> setup_site(CLI::App& app);
std::function<int()> setup_lint(CLI::App& app);
std::function<int()> setup_compile(CLI::App& app);
std::function<int()> setup_tasks(CLI::App& app);
std::function<int()> setup_doctor(CLI::App& app);
std::function<int()> setup_config(CLI::App& app);
std::function<int()> setup_calibrate(CLI::App& app);
std::function<int()> setup_profile(CLI::App& app);
std::function<int()> setup_run(CLI::App& app);
std::function<int()> setup_methods(CLI::App& app);
std::function<int()> setup_models(CLI::App& app);

}  // namespace kbx::cli
