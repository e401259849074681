// Putting blocks together: see the header.
#include "agent/prompt_store.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "base/text.h"

namespace kbx::agent {
namespace {

constexpr size_t kHashShown = 12;

// The next "{{name}}" from `at` on: [begin, end) and the name; begin npos: none. A "{{" with anything but a name in it is text.
struct Slot {
  size_t begin = std::string_view::npos, end = 0;
  std::string_view name;
};
bool is_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}
Slot next_slot(std::string_view text, size_t at) {
  while ((at = text.find("{{", at)) != text.npos) {
    size_t close = text.find("}}", at);
    if (close == text.npos) return {};
    std::string_view name = text.substr(at + 2, close - at - 2);
    if (is_name(name)) return {at, close + 2, name};
    at += 2;
  }
  return {};
}

std::string_view field(const Fields& fields, std::string_view name) {
  auto found = fields.find(name);
  return found == fields.end() ? std::string_view() : std::string_view(found->second);
}

// "" when a field that the text names has no text.
std::string filled(std::string_view text, const Fields& fields) {
  std::string out;
  size_t at = 0;
  for (Slot slot = next_slot(text, 0); slot.begin != text.npos; slot = next_slot(text, at)) {
    std::string_view value = field(fields, slot.name);
    if (value.empty()) return "";
    out += text.substr(at, slot.begin - at);
    if (value.back() == '\n' && text.substr(slot.end, 1) == "\n") value.remove_suffix(1);  // one line end, not two
    out += value;
    at = slot.end;
  }
  return out += text.substr(at);
}

std::string without_ends(std::string_view text) {
  size_t begin = text.find_first_not_of('\n');
  if (begin == text.npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \n") + 1 - begin));
}

}  // namespace

Result<std::vector<std::string>> fields_in(std::string_view text) {
  std::vector<std::string> out;
  size_t braces = 0, slots = 0;
  for (size_t at = text.find("{{"); at != text.npos; at = text.find("{{", at + 2)) braces++;
  for (Slot slot = next_slot(text, 0); slot.begin != text.npos; slot = next_slot(text, slot.end)) {
    slots++;
    if (std::find(out.begin(), out.end(), slot.name) == out.end()) out.emplace_back(slot.name);
  }
  if (slots != braces) return fail(Code::usage, "a \"{{\" is no field: fields are written {{lower_case_name}}");
  return out;
}

void PromptStore::add_blocks(std::map<std::string, std::string, std::less<>> blocks) {
  for (auto& [name, text] : blocks) blocks_[name] = std::move(text);
}

void PromptStore::add(Prompt prompt) { prompts_[prompt.name] = std::move(prompt); }

const Prompt* PromptStore::find(std::string_view name) const {
  auto found = prompts_.find(name);
  return found == prompts_.end() ? nullptr : &found->second;
}

std::vector<std::string> PromptStore::names() const {
  std::vector<std::string> out;
  for (const auto& [name, prompt] : prompts_) out.push_back(name);
  return out;
}

const std::string* PromptStore::text_of(const Prompt& prompt, std::string_view block, std::string_view form) const {
  std::string with_form = fmt::format("{}.{}", block, form);
  for (const auto* blocks : {&prompt.blocks, &blocks_})
    for (std::string_view name : {std::string_view(with_form), block})
      if (auto found = blocks->find(name); found != blocks->end()) return &found->second;
  return nullptr;
}

Result<void> PromptStore::check(std::string_view name, std::string_view form) const {
  const Prompt* prompt = find(name);
  if (prompt == nullptr) {
    auto near = nearest(name, names());
    return fail(Code::usage, fmt::format("there is no prompt '{}'{}", name, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near.front())));
  }
  for (const auto* list : {&prompt->system, &prompt->user})
    for (const std::string& block : *list)
      if (text_of(*prompt, block, form) == nullptr)
        return fail(Code::usage, fmt::format("prompt '{}' names the block '{}', which nobody wrote (form '{}')", name, block, form));
  return {};
}

std::string PromptStore::join(const Prompt& prompt, const std::vector<std::string>& blocks, std::string_view form, const Fields& fields) const {
  std::string out;
  for (const std::string& name : blocks) {
    const std::string* text = text_of(prompt, name, form);
    KBX_CHECK(text != nullptr);
    std::string part = without_ends(filled(*text, fields));
    if (part.empty()) continue;
    if (!out.empty()) out += "\n\n";
    out += part;
  }
  return out.empty() ? out : out + "\n";
}

PromptText PromptStore::render(std::string_view name, std::string_view form, const Fields& fields) const {
  const Prompt* prompt = find(name);
  KBX_CHECK(prompt != nullptr);
  PromptText out;
  FieldHash hash;
  hash.add(form);
  for (const auto* list : {&prompt->system, &prompt->user}) {
    hash.add(list == &prompt->system ? "system" : "user");
    for (const std::string& block : *list) hash.add(*text_of(*prompt, block, form));
  }
  for (const auto& [block, text] : prompt->blocks) hash.add(block).add(text);
  // What loops put into fields by themselves, or behind a question.
  for (const auto& [block, text] : blocks_)
    if (ends_with(block, "_item") || block == "again") hash.add(block).add(text);
  out.system = join(*prompt, prompt->system, form, fields);
  out.user = join(*prompt, prompt->user, form, fields);
  out.name = fmt::format("{}@{}", prompt->name, hash.hex().substr(0, kHashShown));
  out.user_stable = prompt->user_stable;
  return out;
}

bool PromptStore::has_block(std::string_view prompt, std::string_view name) const {
  const Prompt* p = find(prompt);
  return p != nullptr && text_of(*p, name, "") != nullptr;
}

std::string PromptStore::block(std::string_view prompt, std::string_view name, const Fields& fields) const {
  const Prompt* p = find(prompt);
  KBX_CHECK(p != nullptr);
  const std::string* text = text_of(*p, name, "");
  KBX_CHECK(text != nullptr);
  return without_ends(filled(*text, fields));
}

}  // namespace kbx::agent
