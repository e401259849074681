// Provider and Model: where questions go and what may be asked there, as kbx.toml states it. Keys are named, never held.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace kbx::llm {

enum class Protocol : unsigned char { anthropic, openai };
// What a server of the OpenAI protocol takes and how it answers (docs/providers.md). `gateway`: openrouter-like.
enum class DialectName : unsigned char { anthropic, openai, deepseek, vllm, sglang, llamacpp, transformers, gateway };

struct Limits {  // 0 = none
  double requests_per_minute = 0, input_tokens_per_minute = 0, output_tokens_per_minute = 0;
  int concurrency = 8;
};
struct Deadlines {  // seconds; 0 = none
  double connect = 10, first_token = 600, idle = 120, total = 3600;
};
struct Provider {
  std::string name;
  Protocol protocol = Protocol::openai;
  DialectName dialect = DialectName::openai;
  std::string base_url;            // "https://api.anthropic.com", "http://127.0.0.1:8000/v1"; http only to loopback
  std::string key_env, key_cmd;    // where the key is; both empty = the server wants none
  std::string proxy, ca_bundle;
  Limits limits;
  Deadlines deadlines;
  int retries = 6;
};

struct Price {  // US dollars per million tokens; absent = not known, and the ledger says so
  std::optional<double> in, cached, cache_write, out;
  std::string date;  // when it was read
};
// What a model takes; rows by prefix of the vendor's id, the longest wins, all overridable in [models.NAME].
struct Capabilities {
  bool sampling = false;         // temperature, top_p, top_k may be sent
  double temperature_max = 2;
  bool temperature_or_top_p = false;    // not both in one request
  bool budget_thinking = false, adaptive_thinking = false, effort = false;
  bool thinks_by_default = false, always_thinks = false;  // "off" must be said; "off" cannot be had
  bool seed = false, schema = false;
  bool max_completion_tokens = false;  // openai: the field's newer name
  int64_t max_output = 0, context = 0;  // tokens; 0 = not known
};
struct Model {
  std::string name, provider, id;
  Capabilities can;
  Price price;
  std::vector<std::string> contamination;  // benchmarks that its training is known to have seen
  std::string source;                      // the document or person that says so
};

struct Registry {
  std::map<std::string, Provider> providers;
  std::map<std::string, Model> models;
};

}  // namespace kbx::llm
