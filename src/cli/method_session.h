// MethodSession: methods, prompts, worked examples and models, as the verbs `run`, `methods`, `models` and `tasks prompt`
// need them: what kbx ships, with kbx.toml and the user's own files laid over it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "agent/corpus.h"
#include "agent/load.h"
#include "agent/loop.h"
#include "base/result.h"
#include "llm/registry.h"
#include "model/task.h"

namespace kbx::cli {

struct MethodSession {
  agent::Methods methods;
  agent::PromptStore prompts;
  agent::Corpus corpus;
  llm::Registry registry;
};

struct MethodFiles {
  std::string prompts;  // a folder laid over the shipped prompts; "" = none
  std::string corpus;   // worked examples in place of the shipped ones; "" = none
};
Result<MethodSession> open_methods(const MethodFiles& files);
Result<llm::Registry> open_registry();

// By name, or a TOML file of the user's: FILE.toml with one method, FILE.toml:NAME. Error: near names.
Result<agent::Method> find_method(const MethodSession& session, const std::string& name);
// The models that a method asks: its own and its roles'. Error: one of them is not in the registry.
Result<std::vector<const llm::Model*>> models_of(const agent::Method& method, const llm::Registry& registry);
// Every role asks this model.
void use_model(agent::Method& method, const std::string& model);

// `card`: the datasheet's name of the card that kernels are for; "" = not known.
Result<std::unique_ptr<agent::Loop>> loop_for(const MethodSession& session, const agent::Method& method, const Task& task, const std::string& device);
// What the loop asks first.
Result<std::vector<ChatRequest>> first_requests(const MethodSession& session, const agent::Method& method, const Task& task, const std::string& device);

}  // namespace kbx::cli
