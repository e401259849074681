#include "llm/token_count.h"

#include <algorithm>

namespace kbx::llm {
namespace {

constexpr int64_t kMostTokens = int64_t(1) << 40;  // above it a count is nonsense, and sums could overflow

int64_t count(const Json& object, const char* key) { return std::clamp<int64_t>(get_int(object, key).value_or(0), 0, kMostTokens); }
void raise(int64_t& field, int64_t value) { field = std::max(field, value); }

}  // namespace

int64_t estimate_tokens(size_t bytes) { return (int64_t(bytes) * 2 + 6) / 7; }

int64_t estimate_input(const ChatRequest& request) {
  int64_t tokens = request.system.empty() ? 0 : estimate_tokens(request.system) + 4;
  for (const ChatMessage& m : request.messages) tokens += estimate_tokens(m.text) + 4;
  if (!request.schema.is_null()) tokens += estimate_tokens(dump_json(request.schema).size());
  return tokens;
}

void add_usage(Usage& to, const Usage& from) {
  to.in += from.in;
  to.in_cached += from.in_cached;
  to.in_cache_write += from.in_cache_write;
  to.out += from.out;
  to.reasoning += from.reasoning;
  to.estimated |= from.estimated;
}

void TokenCount::add_anthropic(const Json& usage) {
  raise(seen_.in_cached, count(usage, "cache_read_input_tokens"));
  raise(seen_.in_cache_write, count(usage, "cache_creation_input_tokens"));
  raise(seen_.in, count(usage, "input_tokens") + count(usage, "cache_read_input_tokens") + count(usage, "cache_creation_input_tokens"));
  raise(seen_.out, count(usage, "output_tokens"));
  raise(seen_.reasoning, count(get(usage, "output_tokens_details"), "thinking_tokens"));
}

void TokenCount::add_openai(const Json& usage) {
  const Json &in = get(usage, "prompt_tokens_details"), &out = get(usage, "completion_tokens_details");
  int64_t prompt = count(usage, "prompt_tokens"), completion = count(usage, "completion_tokens");
  int64_t reasoning = std::max(count(out, "reasoning_tokens"), count(usage, "reasoning_tokens"));
  if (reasoning > 0 && count(usage, "total_tokens") == prompt + completion + reasoning) completion += reasoning;
  raise(seen_.in, prompt);
  raise(seen_.in_cached, std::max({count(in, "cached_tokens"), count(usage, "prompt_cache_hit_tokens"), count(usage, "cached_tokens")}));
  raise(seen_.in_cache_write, count(in, "cache_write_tokens"));
  raise(seen_.out, completion);
  raise(seen_.reasoning, reasoning);
}

void TokenCount::add_timings(const Json& timings) {
  raise(timed_cached_, count(timings, "cache_n"));
  raise(timed_in_, count(timings, "prompt_n") + count(timings, "cache_n"));
  raise(timed_out_, count(timings, "predicted_n"));
}

Usage TokenCount::usage(int64_t in_estimate, int64_t out_estimate, bool trusted) const {
  Usage u = seen_;
  if (u.in == 0) {
    u.in = timed_in_;
    u.in_cached = std::max(u.in_cached, timed_cached_);
  }
  if (u.out == 0) u.out = timed_out_;
  if (u.in == 0) {
    u.in = in_estimate;
    u.estimated = true;
  }
  if (!trusted || (u.out == 0 && out_estimate > 0)) {
    u.out = std::max(u.out, out_estimate);
    u.estimated = true;
  }
  u.in_cached = std::min(u.in_cached, u.in);
  u.reasoning = std::min(u.reasoning, u.out);
  return u;
}

}  // namespace kbx::llm
