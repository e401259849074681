#include "cli/doctor_models.h"

#include <fmt/format.h>

#include <condition_variable>
#include <map>
#include <mutex>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/method_session.h"
#include "cli/run_table.h"
#include "cli/terminal.h"
#include "generate/exchange_json.h"
#include "generate/ledger.h"
#include "llm/transport.h"
#include "report/text_table.h"

namespace kbx::cli {
namespace {

struct Answers {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, ChatResult> by_model;
};

ChatRequest question(const std::string& model) {
  ChatRequest r;
  r.id = {"doctor", model, 0, 0, 0};
  r.model = model;
  r.messages = {{Speaker::user, "Reply with the word ok.", false}};
  r.max_tokens = 32;
  return r;
}

std::string found(const ChatResult& result) {
  if (const auto* reply = std::get_if<ChatReply>(&result))
    return fmt::format("{} in {:.2f} s, first token after {:.2f} s, {} tokens in {} out, says it is {}", to_text(reply->stop), reply->timing.total, reply->timing.first_token, reply->usage.in,
                       reply->usage.out, reply->model_returned.empty() ? "nothing" : reply->model_returned);
  const auto& error = std::get<ApiError>(result);
  return fmt::format("{}{}: {}", to_text(error.fault), error.http ? fmt::format(" (HTTP {})", error.http) : "", error.message);
}

// Nobody listens at an address of this machine that needs no key: a server of one's own that is not running is no fault.
bool not_running(const ChatResult& result, const llm::Provider& provider) {
  const auto* error = std::get_if<ApiError>(&result);
  return error && error->fault == ApiFault::connect && error->http == 0 && provider.key_env.empty() && provider.key_cmd.empty() && llm::is_loopback(provider.base_url);
}

}  // namespace

Result<int> ask_models(bool json) {
  KBX_TRY_ASSIGN(llm::Registry registry, open_registry());
  std::map<std::string, std::string> cannot;  // model -> why
  llm::Keyring keys;
  for (const auto& [name, provider] : registry.providers) {
    auto key = llm::read_secret(provider);
    if (key) keys.emplace(name, std::move(*key));
    else
      for (const auto& [model, m] : registry.models)
        if (m.provider == name) cannot[model] = key.error().message;
  }
  for (auto& [name, provider] : registry.providers) provider.retries = 0;
  Answers answers;
  size_t asked = 0;
  {
    KBX_TRY_ASSIGN(auto transport, llm::Transport::make(registry, std::move(keys), {}));
    for (const auto& [name, m] : registry.models) {
      if (cannot.contains(name)) continue;
      asked++;
      transport->start(question(name), [&answers, model = name](llm::Exchange e) {
        std::lock_guard lock(answers.mutex);
        answers.by_model.insert_or_assign(model, std::move(e.result));
        answers.changed.notify_all();
      });
    }
    std::unique_lock lock(answers.mutex);
    answers.changed.wait(lock, [&] { return answers.by_model.size() == asked; });
  }
  report::TextTable table({{"model"}, {"provider"}, {""}, {"found"}});
  Json out = Json::array();
  bool bad = false;
  for (const auto& [name, m] : registry.models) {
    auto at = answers.by_model.find(name);
    bool here = at != answers.by_model.end(), ok = here && std::holds_alternative<ChatReply>(at->second);
    bool absent = here && not_running(at->second, registry.providers.at(m.provider));
    bad |= here && !ok && !absent;
    std::string text = here ? found(at->second) : cannot[name];
    table.add({name, m.provider, ok ? "✓" : here && !absent ? "✗" : "·", shown(text, 300)});
    out.push_back({{"model", name}, {"provider", m.provider}, {"state", ok ? "ok" : absent ? "not running" : here ? "bad" : "not asked"}, {"found", text}});
  }
  print(json ? dump_json(out, 2) + "\n" : table.text());
  return bad ? kGateFailed : kEvaluated;
}

}  // namespace kbx::cli
