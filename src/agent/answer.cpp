// From a finished call to code or words.
#include "agent/answer.h"

#include <fmt/core.h>

#include "base/text.h"
#include "intake/json_reply.h"
#include "intake/reasoning.h"

namespace kbx::agent {
namespace {

constexpr size_t kMostProblem = 300;  // bytes of a server's words

bool out_of_room(Stop stop) { return stop == Stop::length || stop == Stop::context_full; }

bool ends_calls(const ApiError& error) { return error.stops_provider || error.fault == ApiFault::budget; }

std::string failed_call(const ApiError& error) {
  return "The call failed" + (error.message.empty() ? "." : ": " + clean_utf8(error.message, kMostProblem));
}

// The published agent wants JSON with both keys, and takes what its own extraction makes of the code.
intake::Extracted upstream_json(std::string_view text, std::string& strategy) {
  auto object = intake::object_in(text);
  auto code = object ? get_string(*object, "code") : std::nullopt;
  auto words = object ? get_string(*object, "strategy") : std::nullopt;
  if (object && !words) words = get_string(*object, "thought");
  if (!code || !words) return {.how = "none"};
  strategy = *words;
  return intake::extract(*code, intake::ExtractMode::upstream, {});
}

std::string strategy_in(std::string_view text) {
  for (std::string_view key : {"strategy", "thought"})
    if (auto words = intake::string_from_json(text, key)) return *words;
  return "";
}

std::string why_no_code(const ChatReply& reply, bool cut) {
  if (reply.stop == Stop::refusal || reply.stop == Stop::filter) return "The model refused to answer.";
  if (trim(reply.text).empty())
    return cut ? "The reply was cut while the model was still reasoning: no answer came." : "The reply was empty.";
  return cut ? "The reply was cut before any code was complete." : "The reply held no Python code.";
}

}  // namespace

std::string cut_note(bool cut) {
  return cut ? "The last reply was cut at the limit of its length. Write less around the code, and shorter code." : "";
}

namespace {

// A call that failed holds nothing. True: it did.
template <class Answer>
bool failed(const ChatResult& result, Answer& out) {
  const auto* error = std::get_if<ApiError>(&result);
  if (!error) return false;
  out.problem = failed_call(*error);
  out.none_more = ends_calls(*error);
  return true;
}

}  // namespace

CodeAnswer read_code(const ChatResult& result, const Method& method, const intake::Target& target) {
  CodeAnswer out;
  if (failed(result, out)) return out;
  const auto& reply = std::get<ChatReply>(result);
  bool refused = reply.stop == Stop::refusal || reply.stop == Stop::filter;
  std::string_view text = reply.text;
  intake::Reasoning reasoning = intake::strip_reasoning(text);
  if (method.extract == intake::ExtractMode::upstream && method.strip_think && reasoning.found) text = reasoning.answer;
  intake::Extracted got;
  bool json = method.reply == ReplyForm::json;
  if (json && method.extract == intake::ExtractMode::upstream)
    got = upstream_json(text, out.strategy);
  else if (!refused)
    got = intake::extract(text, method.extract, target);
  if (json && out.strategy.empty()) out.strategy = strategy_in(reasoning.found ? reasoning.answer : text);
  out.cut = out_of_room(reply.stop) || got.truncated;
  if (!refused) out.code = std::move(got.code);
  out.how = got.how.empty() ? "none" : got.how;
  if (!out.code.empty()) return out;
  out.problem = why_no_code(reply, out.cut);
  out.again = true;
  return out;
}

TextAnswer read_words(const ChatResult& result) {
  TextAnswer out;
  if (failed(result, out)) return out;
  const auto& reply = std::get<ChatReply>(result);
  out.text = trim(intake::strip_reasoning(reply.text).answer);
  if (reply.stop == Stop::refusal || reply.stop == Stop::filter) out.text.clear();
  if (out.text.empty()) out.problem = why_no_code(reply, out_of_room(reply.stop));
  return out;
}

}  // namespace kbx::agent
