// A new key is one line here plus the line that reads it in registry.cpp.
#include "llm/provider_keys.h"

#include <array>

namespace kbx::llm {
namespace {

using T = toml::KeyType;
using toml::Key;

const std::array kProvider{
    Key{"kind", T::string, false, "the protocol; follows from the dialect where that is given", {"anthropic", "openai"}},
    Key{"dialect", T::string, false, "what the server takes and how it answers; default: that of its kind",
        {"anthropic", "openai", "deepseek", "vllm", "sglang", "llamacpp", "transformers", "gateway"}},
    Key{"base_url", T::string, false, "where the protocol's paths begin; http:// only to this machine"},
    Key{"key_env", T::string, false, "name of the environment variable that holds the key"},
    Key{"key_cmd", T::string, false, "a command that prints the key; asked when key_env is absent or not set"},
    Key{"proxy", T::string, false, "the proxy's URL; default: what http_proxy, https_proxy, no_proxy say"},
    Key{"ca_bundle", T::string, false, "file of certificates to trust in place of the system's"},
    Key{"rpm", T::number, false, "requests a minute at most"},
    Key{"itpm", T::number, false, "input tokens a minute at most"},
    Key{"otpm", T::number, false, "output tokens a minute at most"},
    Key{"concurrency", T::integer, false, "calls at a time at most"},
    Key{"retries", T::integer, false, "how often a call is tried again"},
    Key{"connect_seconds", T::number, false, "limit for the connection"},
    Key{"first_token_seconds", T::number, false, "limit for the first piece of text or reasoning; 0 = none"},
    Key{"idle_seconds", T::number, false, "limit between two pieces; 0 = none"},
    Key{"total_seconds", T::number, false, "limit for one try; 0 = none"},
};
const std::array kModel{
    Key{"provider", T::string, false, "a name of [providers]"},
    Key{"id", T::string, false, "the vendor's name of the model"},
    Key{"context", T::integer, false, "tokens of prompt and reply together; 0 = not known"},
    Key{"max_output", T::integer, false, "tokens of a reply at most; 0 = not known"},
    Key{"price", T::section, false, "US dollars per million tokens"},
    Key{"contamination", T::strings, false, "benchmarks that its training is known to have seen"},
    Key{"source", T::string, false, "where these facts stand"},
    Key{"sampling", T::boolean, false, "temperature, top_p and top_k may be sent"},
    Key{"temperature_max", T::number, false, "the largest temperature"},
    Key{"temperature_or_top_p", T::boolean, false, "one of the two only"},
    Key{"budget_thinking", T::boolean, false, "thinking with a budget of tokens"},
    Key{"adaptive_thinking", T::boolean, false, "thinking whose amount is the model's choice"},
    Key{"effort", T::boolean, false, "takes an effort"},
    Key{"thinks_by_default", T::boolean, false, "thinks unless told not to"},
    Key{"always_thinks", T::boolean, false, "thinking cannot be switched off"},
    Key{"seed", T::boolean, false, "takes a seed"},
    Key{"schema", T::boolean, false, "can be held to a JSON Schema"},
    Key{"max_completion_tokens", T::boolean, false, "the limit is sent under this newer name"},
};
const std::array kPrice{
    Key{"in", T::number, false, "input"},
    Key{"cached", T::number, false, "input that came from a cache"},
    Key{"cache_write", T::number, false, "input that was written to a cache"},
    Key{"out", T::number, false, "output, reasoning included"},
    Key{"date", T::string, false, "the day when it was read, YYYY-MM-DD"},
};

}  // namespace

toml::Keys provider_keys() { return kProvider; }
toml::Keys model_keys() { return kModel; }
toml::Keys price_keys() { return kPrice; }

}  // namespace kbx::llm
