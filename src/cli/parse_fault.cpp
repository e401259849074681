#include "cli/parse_fault.h"

#include <algorithm>

#include "base/text.h"
#include "base/words.h"

namespace kbx::cli {
namespace {

// The verb that was reached, with the verbs above it: "kbx tasks check".
const CLI::App& reached(const CLI::App& app, std::string& words) {
  const CLI::App* at = &app;
  words = app.get_name();
  for (auto parsed = at->get_subcommands(); !parsed.empty(); parsed = at->get_subcommands()) {
    at = parsed.back();
    words += " " + at->get_name();
  }
  return *at;
}

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) out.push_back(verb->get_name());
  return out;
}

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  return out;
}

}  // namespace

std::string parse_fault(const CLI::App& app, const CLI::ParseError& error) {
  std::string verb;
  const CLI::App& at = reached(app, verb);
  std::vector<std::string> left = app.remaining(true);
  // A word in a verb's place stops the parser before anything else, so it is the first of what is left.
  bool wants_verb = !verbs_of(at).empty();
  std::string said = error.what();
  if (wants_verb && !left.empty() && !starts_with(left[0], "-")) {
    said = "there is no verb " + left[0] + did_you_mean(left[0], verbs_of(at));
  } else if (auto word = std::find_if(left.begin(), left.end(), [](const std::string& w) { return starts_with(w, "-"); }); word != left.end()) {
    std::string option = word->substr(0, word->find('='));
    auto known = options_of(at);
    bool before = std::find(known.begin(), known.end(), option) != known.end();
    said = before ? "options stand behind the verb: " + verb + " " + option : verb + " has no option " + option + did_you_mean(option, known);
  }
  return said + " (" + verb + " --help)";
}

}  // namespace kbx::cli
