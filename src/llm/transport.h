// Transport: the Client that really asks: libcurl's multi interface on one thread of its own, always streaming, with a Lane
// for every provider (limits, retries, breaker). docs/transport.md says how it behaves.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "llm/backoff.h"
#include "llm/breaker.h"
#include "llm/client.h"
#include "llm/dialect.h"
#include "llm/secret.h"

namespace kbx::llm {

struct TransportOptions {
  BackoffRules backoff;
  BreakerRules breaker;
  size_t most_bytes = size_t(64) << 20;  // of one answer, after decompression
  bool keep_pieces = true;               // Exchange::pieces
  std::function<const Dialect&(DialectName)> dialect = dialect_of;
  // One line for a person, cleaned of secrets, from the client's thread: a try that failed, a provider that stops, what a
  // request asked for and a model does not take. Must not block.
  std::function<void(const std::string&)> notice;
};

class TransportThread;

class Transport : public Client {
 public:
  // `keys`: of read_keys(); a call to a provider without an entry there ends as ApiFault::refused_by_us. Error (code
  // python): there is no libcurl.
  static Result<std::unique_ptr<Transport>> make(Registry registry, Keyring keys, TransportOptions options);
  // Calls that have not ended end as cancelled.
  ~Transport() override;

  void start(ChatRequest request, std::function<void(Exchange)> done) override;
  void cancel(const CallId& id) override;
  void wind_down() override;

 private:
  explicit Transport(std::unique_ptr<TransportThread> thread);
  std::unique_ptr<TransportThread> thread_;
};

}  // namespace kbx::llm
