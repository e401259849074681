// BatchClient: a Client that answers from a batch's results or a folder of replies (llm/batch.h, llm/prompt_folder.h). What is
// not there, expired or failed for reasons of the world ends as cancelled, so that the run waits for it.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "llm/batch.h"
#include "llm/client.h"

namespace kbx::generate {

class BatchClient : public llm::Client {
 public:
  // `keys`: place -> key of the question as it would be asked now. Error (code usage): the batch was made of other prompts,
  // another model or other settings.
  static Result<BatchClient> make(std::vector<llm::BatchReply> replies, const std::map<std::string, std::string>& keys);
  void start(ChatRequest request, std::function<void(llm::Exchange)> done) override;  // answers at once
  void cancel(const CallId&) override {}
  size_t size() const { return replies_.size(); }

 private:
  std::map<std::string, llm::BatchReply> replies_;  // by place
};

}  // namespace kbx::generate
