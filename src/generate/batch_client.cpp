#include "generate/batch_client.h"

#include <fmt/format.h>

#include "generate/journal.h"
#include "llm/token_count.h"

namespace kbx::generate {

Result<BatchClient> BatchClient::make(std::vector<llm::BatchReply> replies, const std::map<std::string, std::string>& keys) {
  BatchClient out;
  for (llm::BatchReply& r : replies) {
    std::string place = to_text(r.entry.id);
    auto now = keys.find(place);
    if (now != keys.end() && now->second != r.entry.key)
      return fail(Code::usage, fmt::format("the batch was made of other prompts, for another model or with other settings than these ({} differs); import it with what it was exported with", place));
    out.replies_.insert_or_assign(place, std::move(r));
  }
  return out;
}

void BatchClient::start(ChatRequest request, std::function<void(llm::Exchange)> done) {
  llm::Exchange out;
  auto found = replies_.find(to_text(request.id));
  out.request = std::move(request);
  if (found != replies_.end() && is_final(found->second.result)) {
    out.result = found->second.result;
    if (!found->second.raw.empty()) out.pieces.push_back({0, found->second.raw});
    auto* reply = std::get_if<ChatReply>(&out.result);
    if (reply && reply->usage.in == 0) {  // a chat window counts nothing
      reply->usage.in = llm::estimate_input(out.request);
      reply->usage.estimated = true;
    }
  } else {
    ApiError error;
    error.fault = ApiFault::cancelled;
    error.message = "no reply in the batch";
    out.result = error;
  }
  done(std::move(out));
}

}  // namespace kbx::generate
