#include "llm/transport.h"

#include "llm/curl_library.h"
#include "llm/transport_thread.h"

namespace kbx::llm {

Result<std::unique_ptr<Transport>> Transport::make(Registry registry, Keyring keys, TransportOptions options) {
  KBX_TRY_ASSIGN(CurlLibrary curl, load_curl());
  return std::unique_ptr<Transport>(new Transport(std::make_unique<TransportThread>(curl, std::move(registry), std::move(keys), std::move(options))));
}

Transport::Transport(std::unique_ptr<TransportThread> thread) : thread_(std::move(thread)) {}
Transport::~Transport() = default;

void Transport::start(ChatRequest request, std::function<void(Exchange)> done) { thread_->start(std::move(request), std::move(done)); }
void Transport::cancel(const CallId& id) { thread_->cancel(id); }
void Transport::wind_down() { thread_->wind_down(); }

}  // namespace kbx::llm
