#include "llm/capabilities.h"

#include <algorithm>
#include <array>
#include <string>

#include "llm/http_words.h"

namespace kbx::llm {
namespace {

struct Row {
  std::string_view prefix;
  Capabilities can;
};
constexpr int64_t k200k = 200000, k1m = 1000000;

// Claude up to 4.6 with sampling; from 4.7 sampling and token budgets are refused with 400, thinking is adaptive.
constexpr Capabilities claude(int64_t max_output, bool budget, bool either) {
  return {.sampling = true, .temperature_max = 1, .temperature_or_top_p = either, .budget_thinking = budget, .max_output = max_output, .context = k200k};
}
constexpr Capabilities claude_4_6() {
  return {.sampling = true, .temperature_max = 1, .temperature_or_top_p = true, .adaptive_thinking = true, .effort = true, .schema = true, .max_output = 128000, .context = k1m};
}
constexpr Capabilities claude_adaptive(bool by_default, bool always) {
  return {.adaptive_thinking = true, .effort = true, .thinks_by_default = by_default, .always_thinks = always, .schema = true, .max_output = 128000, .context = k1m};
}
constexpr Capabilities with_schema(Capabilities can, bool effort = false) {
  can.schema = true;
  can.effort = effort;
  return can;
}
constexpr Capabilities gpt(int64_t max_output, int64_t context, bool schema) {
  return {.sampling = true, .seed = true, .schema = schema, .max_output = max_output, .context = context};
}
constexpr Capabilities gpt_reasoning(int64_t max_output, int64_t context) {
  return {.effort = true, .thinks_by_default = true, .schema = true, .max_completion_tokens = true, .max_output = max_output, .context = context};
}
constexpr Capabilities deepseek_v4() {
  return {.sampling = true, .effort = true, .thinks_by_default = true, .max_output = 384000, .context = k1m};
}

// Any order: the longest prefix wins. docs/providers.md says what each field means and where the figures come from.
constexpr std::array<Row, 32> kRows{{
    {"claude-3-", claude(4096, false, false)},
    {"claude-3-5-", claude(8192, false, false)},
    {"claude-3-7-", claude(64000, true, false)},
    {"claude-sonnet-4", claude(64000, true, false)},
    {"claude-opus-4", claude(32000, true, false)},
    {"claude-opus-4-1", with_schema(claude(32000, true, true))},
    {"claude-sonnet-4-5", with_schema(claude(64000, true, true))},
    {"claude-haiku-4-5", with_schema(claude(64000, true, true))},
    {"claude-opus-4-5", with_schema(claude(64000, true, true), true)},
    {"claude-opus-4-6", claude_4_6()},
    {"claude-sonnet-4-6", claude_4_6()},
    {"claude-opus-4-7", claude_adaptive(false, false)},
    {"claude-opus-4-8", claude_adaptive(false, false)},
    {"claude-opus-5", claude_adaptive(true, false)},
    {"claude-sonnet-5", claude_adaptive(true, false)},
    {"claude-opus-5-5", claude_adaptive(true, true)},
    {"claude-sonnet-5-5", claude_adaptive(true, true)},
    {"claude-haiku-5", claude_adaptive(true, true)},
    {"claude-fable-5", claude_adaptive(true, true)},
    {"claude-mythos-5", claude_adaptive(true, true)},
    {"gpt-3.5-turbo", gpt(4096, 16385, false)},
    {"gpt-4", gpt(8192, 8192, false)},
    {"gpt-4-turbo", gpt(4096, 128000, false)},
    {"gpt-4o", gpt(16384, 128000, true)},
    {"gpt-4.1", gpt(32768, 1047576, true)},
    {"gpt-5-chat", gpt(16384, 128000, true)},
    {"gpt-5", gpt_reasoning(128000, 400000)},
    {"o1", gpt_reasoning(100000, k200k)},
    {"o3", gpt_reasoning(100000, k200k)},
    {"o4-mini", gpt_reasoning(100000, k200k)},
    {"deepseek-", deepseek_v4()},
    {"gpt-oss", {.sampling = true, .effort = true, .thinks_by_default = true, .max_output = 0, .context = 131072}},
}};

bool own_server(DialectName d) {
  return d == DialectName::vllm || d == DialectName::sglang || d == DialectName::llamacpp || d == DialectName::transformers;
}

// Gateways write "claude-opus-4.5" for "claude-opus-4-5"; the dot of "gpt-4.1" is its own.
std::string spelled(std::string_view id) {
  std::string out = lower_case(id);
  if (out.rfind("claude", 0) == 0) std::replace(out.begin(), out.end(), '.', '-');
  return out;
}

// Weights of a vendor on a server of one's own are no vendor's service: only what the model itself can (effort) is theirs.
bool applies(const Row& row, DialectName dialect) {
  bool anthropic = row.prefix.substr(0, 6) == "claude";
  if (dialect == DialectName::gateway) return true;
  if (own_server(dialect)) return row.prefix == "gpt-oss";
  if (dialect == DialectName::deepseek) return row.prefix == "deepseek-";
  return anthropic == (dialect == DialectName::anthropic);
}

}  // namespace

Capabilities capabilities_of(DialectName dialect, std::string_view model_id) {
  if (size_t slash = model_id.rfind('/'); slash != model_id.npos) model_id.remove_prefix(slash + 1);
  std::string id = spelled(model_id);
  const Row* best = nullptr;
  for (const Row& row : kRows)
    if (applies(row, dialect) && id.rfind(row.prefix, 0) == 0 && (!best || row.prefix.size() > best->prefix.size())) best = &row;
  Capabilities can = best ? best->can : Capabilities{};
  if (own_server(dialect)) can.sampling = can.seed = can.schema = true;
  if (dialect == DialectName::transformers) can.schema = false;
  if (dialect == DialectName::gateway) can.max_completion_tokens = false;
  return can;
}

}  // namespace kbx::llm
