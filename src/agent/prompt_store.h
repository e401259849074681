// PromptStore: the texts that models are shown, by name. A prompt is a list of blocks; a block is text with {{fields}}.
//   - A block that names a field without text is left out, so that optional parts need no conditions.
//   - A block NAME is taken as NAME.FORM where the method's form has one, else as NAME.
//   - What is put in is never searched for fields again.
// System text is the same for all calls of a role, so that a server can keep it; what changes stands in the user's text.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "agent/facts.h"
#include "base/result.h"

namespace kbx::agent {

struct PromptText {
  std::string system, user;
  std::string name;        // "geak/gen@0f3a..": the hash is of the texts before fields are put in
  bool user_stable = false;  // every sample sends the same
};

struct Prompt {
  std::string name, summary;
  std::vector<std::string> system, user;  // blocks
  bool user_stable = false;
  std::map<std::string, std::string, std::less<>> blocks;  // of this prompt alone; they win over the common ones
};

class PromptStore {
 public:
  void add_blocks(std::map<std::string, std::string, std::less<>> blocks);  // common; later ones win
  void add(Prompt prompt);
  // Error (code usage): no such prompt, or a block of it that nobody wrote.
  Result<void> check(std::string_view prompt, std::string_view form) const;
  // The prompt must pass check().
  PromptText render(std::string_view prompt, std::string_view form, const Fields& fields) const;
  // One block, for lists (attempts, ancestors); "" when it is left out. It must exist: has_block().
  std::string block(std::string_view prompt, std::string_view name, const Fields& fields) const;
  bool has_block(std::string_view prompt, std::string_view name) const;
  std::vector<std::string> names() const;
  const Prompt* find(std::string_view name) const;

 private:
  const std::string* text_of(const Prompt& prompt, std::string_view block, std::string_view form) const;
  std::string join(const Prompt& prompt, const std::vector<std::string>& blocks, std::string_view form, const Fields& fields) const;

  std::map<std::string, Prompt, std::less<>> prompts_;
  std::map<std::string, std::string, std::less<>> blocks_;
};

// The fields that a text names, each once. Error (code usage): "{{" that no field follows.
Result<std::vector<std::string>> fields_in(std::string_view text);

}  // namespace kbx::agent
