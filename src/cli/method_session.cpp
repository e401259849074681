#include "cli/method_session.h"

#include <algorithm>
#include <set>

#include "agent/make_loop.h"
#include "base/files.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/home.h"
#include "toml/tree.h"

namespace kbx::cli {
namespace {

constexpr const char* kOwn = "kbx.toml";

// [methods.NAME] of the user's kbx.toml; its other tables belong to others.
Result<void> read_own_methods(agent::Methods& into) {
  std::error_code ec;
  if (!std::filesystem::exists(kOwn, ec)) return {};
  KBX_TRY_ASSIGN(std::string text, read_file(kOwn));
  KBX_TRY_ASSIGN(toml::Node root, toml::parse(text, kOwn));
  const toml::Node* methods = root.find("methods");
  if (!methods) return {};
  toml::Faults faults(kOwn);
  agent::read_methods(faults, *methods, kOwn, into);
  return faults.none() ? Result<void>() : fail(Code::usage, faults.text());
}

Result<agent::Method> method_of_file(const MethodSession& session, const std::string& name) {
  size_t colon = name.rfind(".toml:");
  std::string file = colon == name.npos ? name : name.substr(0, colon + 5), wanted = colon == name.npos ? "" : name.substr(colon + 6);
  std::error_code ec;
  if (!std::filesystem::exists(file, ec)) return fail(Code::usage, "there is no file " + file + " (kbx methods lists the methods that ship)");
  KBX_TRY_ASSIGN(std::string text, read_file(file));
  agent::Methods all = session.methods;  // `like` may name a preset
  KBX_TRY(agent::parse_methods(text, file, all));
  std::vector<const agent::Method*> found;
  for (const auto& [key, m] : all)
    if (m.source == file && (wanted.empty() || key == wanted)) found.push_back(&m);
  if (found.size() == 1) return *found.front();
  if (found.empty()) return fail(Code::usage, file + " holds no method" + (wanted.empty() ? "" : " " + wanted));
  std::string names;
  for (const auto* m : found) names += (names.empty() ? "" : ", ") + m->name;
  return fail(Code::usage, file + " holds several methods; say which: " + file + ":NAME (" + names + ")");
}

}  // namespace

Result<llm::Registry> open_registry() {
  KBX_TRY_ASSIGN(Home home, find_home());
  return llm::load_registry(home.share / "models.toml", kOwn);
}

Result<MethodSession> open_methods(const MethodFiles& files) {
  KBX_TRY_ASSIGN(Home home, find_home());
  MethodSession out;
  KBX_TRY_ASSIGN(out.methods, agent::load_methods(home.share / "methods"));
  KBX_TRY(read_own_methods(out.methods));
  std::error_code ec;
  for (const std::string& given : {files.prompts, files.corpus})
    if (!given.empty() && !std::filesystem::exists(given, ec)) return fail(Code::usage, "there is no " + given);
  std::vector<std::filesystem::path> folders{home.share / "prompts"};
  if (!files.prompts.empty()) folders.push_back(files.prompts);
  KBX_TRY_ASSIGN(out.prompts, agent::load_prompts(folders));
  std::filesystem::path corpus = files.corpus.empty() ? home.share / "prompts" / "corpus" : std::filesystem::path(files.corpus);
  if (!files.corpus.empty() || std::filesystem::exists(corpus, ec)) {
    KBX_TRY_ASSIGN(out.corpus, agent::load_corpus(corpus));
  }
  KBX_TRY_ASSIGN(out.registry, open_registry());
  return out;
}

Result<agent::Method> find_method(const MethodSession& session, const std::string& name) {
  if (ends_with(name, ".toml") || name.find(".toml:") != name.npos) return method_of_file(session, name);
  if (auto found = session.methods.find(name); found != session.methods.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [key, m] : session.methods) names.push_back(key);
  return fail(Code::usage, "there is no method " + name + did_you_mean(name, names) + " (kbx methods lists them; a file of your own ends in .toml)");
}

Result<std::vector<const llm::Model*>> models_of(const agent::Method& method, const llm::Registry& registry) {
  std::set<std::string> names;
  if (!method.model.empty()) names.insert(method.model);
  for (const auto& [role, r] : method.roles)
    if (!r.model.empty()) names.insert(r.model);
  if (names.empty()) return fail(Code::usage, "the method " + method.name + " names no model: add --model NAME (kbx models)");
  std::vector<const llm::Model*> out;
  for (const std::string& name : names) {
    auto found = registry.models.find(name);
    if (found == registry.models.end()) {
      std::vector<std::string> known;
      for (const auto& [key, m] : registry.models) known.push_back(key);
      return fail(Code::usage, "no model is named " + name + did_you_mean(name, known) + " (kbx models lists them; your own stands in kbx.toml under [models." + name + "])");
    }
    out.push_back(&found->second);
  }
  return out;
}

void use_model(agent::Method& method, const std::string& model) {
  method.model = model;
  for (auto& [role, r] : method.roles) r.model.clear();
}

Result<std::unique_ptr<agent::Loop>> loop_for(const MethodSession& session, const agent::Method& method, const Task& task, const std::string& device) {
  return agent::make_loop({method, session.prompts, session.corpus, agent::facts_of(task, device)});
}

Result<std::vector<ChatRequest>> first_requests(const MethodSession& session, const agent::Method& method, const Task& task, const std::string& device) {
  KBX_TRY_ASSIGN(auto loop, loop_for(session, method, task, device));
  std::vector<ChatRequest> out;
  for (agent::Action& action : loop->step(agent::Started{}))
    if (auto* ask = std::get_if<agent::Ask>(&action)) out.push_back(std::move(ask->request));
  return out;
}

}  // namespace kbx::cli
