// One file, checked.
#include "agent/prompt_toml.h"

#include <array>

#include "toml/reader.h"

namespace kbx::agent {
namespace {

using toml::Key;
using T = toml::KeyType;

const std::array kPrompt = {
    Key{"summary", T::string, false, "what it is for"},
    Key{"system", T::strings, false, "blocks of the system text"},
    Key{"user", T::strings, true, "blocks of the question"},
    Key{"user_stable", T::boolean, false, "every sample sends the same question"},
    Key{"blocks", T::section, false, "texts of this prompt alone"},
};
const std::array kBlocks = {Key{"blocks", T::section, true, "texts for all prompts"}};

std::map<std::string, std::string, std::less<>> read_blocks(toml::Faults& faults, const toml::Node& root) {
  std::map<std::string, std::string, std::less<>> out;
  const toml::Node* blocks = root.find("blocks");
  if (!blocks) return out;
  for (const auto& [name, text] : blocks->entries) {
    if (text.kind != toml::Node::Kind::string) {
      faults.add(text, "block '" + name + "' must be a text (a name with a dot is written \"task.kbx\")");
      continue;
    }
    if (auto fields = fields_in(text.text); !fields) faults.add(text, "block '" + name + "': " + fields.error().message);
    out[name] = text.text;
  }
  return out;
}

}  // namespace

Result<void> parse_prompt(std::string_view text, const std::string& filename, const std::string& name, PromptStore& into) {
  KBX_TRY_ASSIGN(toml::Node root, toml::parse(text, filename));
  toml::Faults faults(filename);
  if (name.empty())
    toml::check_table(faults, root, kBlocks, "blocks");
  else
    toml::check_table(faults, root, kPrompt, "prompt '" + name + "'");
  auto blocks = read_blocks(faults, root);
  if (!faults.none()) return fail(Code::usage, faults.text());
  if (name.empty()) {
    into.add_blocks(std::move(blocks));
    return {};
  }
  into.add({name, toml::read_string(root, "summary"), toml::read_strings(root, "system"), toml::read_strings(root, "user"), toml::read_bool(root, "user_stable", false), std::move(blocks)});
  return {};
}

}  // namespace kbx::agent
