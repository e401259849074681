#include "cli/run_batch.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "generate/call_key.h"
#include "llm/prompt_folder.h"

namespace kbx::cli {
namespace {

// Without lines about a card: whoever exports need not be where kernels are judged.
Result<std::vector<llm::BatchCall>> calls_of(const RunPlan& plan, const MethodSession& session) {
  std::vector<llm::BatchCall> out;
  const llm::Model& model = *plan.models.front();
  for (const Task* t : plan.tasks) {
    KBX_TRY_ASSIGN(auto requests, first_requests(session, plan.method, *t, ""));
    for (ChatRequest& r : requests) {
      std::string key = generate::call_key(r, model.id);
      out.push_back({std::move(r), model, std::move(key)});
    }
  }
  return out;
}

}  // namespace

Result<void> check_batch(const std::vector<std::string>& words, RunPlan& plan) {
  if (words.size() != 2 || (words[0] != "export" && words[0] != "import")) return fail(Code::usage, "--batch takes two words: export FOLDER, or import FILE-OR-FOLDER");
  if (plan.method.loop != agent::LoopKind::single_pass)
    return fail(Code::usage, fmt::format("{} cannot be run as a batch: its loop ({}) asks again after it has seen what became of the first kernels; only single-pass methods know all their questions beforehand",
                                         plan.method.name, to_text(plan.method.loop)));
  if (plan.models.size() != 1) return fail(Code::usage, "a batch goes to one model");
  if (plan.cassette != generate::CassetteMode::off) return fail(Code::usage, "--batch and --cassette exclude each other");
  plan.method.asks_again = 0;
  return {};
}

Result<int> export_batch_files(const std::string& folder, const RunPlan& plan, const MethodSession& session) {
  KBX_TRY_ASSIGN(auto calls, calls_of(plan, session));
  const llm::Provider& provider = session.registry.providers.at(plan.models.front()->provider);
  KBX_TRY_ASSIGN(auto files, llm::export_batch(folder, calls, provider));
  KBX_TRY(llm::export_prompts(std::filesystem::path(folder) / "prompts", calls));
  for (const auto& f : files.files) print((std::filesystem::path(folder) / f.name).string() + "\n");
  for (const std::string& what : files.left_out) say("note: " + what);
  say(fmt::format("{} requests; {}/README.md says how to send them. By hand: paste {}/prompts/*.prompt.md, save the answers beside them as *.reply.md.\nThen: kbx run {} --batch import RESULTS-OR-FOLDER --run RUN", calls.size(), folder, folder,
                  plan.method.name));
  return kEvaluated;
}

Result<generate::BatchClient> open_batch(const std::string& path, const RunPlan& plan, const MethodSession& session) {
  KBX_TRY_ASSIGN(auto calls, calls_of(plan, session));
  std::map<std::string, std::string> keys;
  for (const auto& c : calls) keys[to_text(c.request.id)] = c.key;
  std::error_code ec;
  bool folder = std::filesystem::is_directory(path, ec);
  KBX_TRY_ASSIGN(llm::BatchResults results, folder ? llm::import_replies(path) : llm::import_batch({path}));
  for (const auto& p : results.problems) say("warning: " + shown(path + (p.line ? ":" + std::to_string(p.line) : "") + ": " + p.message, 1000));
  say(fmt::format("{} replies in {}, {} are missing", results.replies.size(), path, results.missing.size()));
  return generate::BatchClient::make(std::move(results.replies), keys);
}

}  // namespace kbx::cli
