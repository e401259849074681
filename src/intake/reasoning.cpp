// Finding the tags of reasoning that are tags and not text.
#include "intake/reasoning.h"

#include <string>

namespace kbx::intake {
namespace {

constexpr std::string_view kTags[] = {"think", "thinking", "reasoning"};

bool quoted(std::string_view text, size_t begin, size_t end) {
  auto quote = [](char c) { return c == '"' || c == '\'' || c == '`'; };
  return (begin > 0 && quote(text[begin - 1])) || (end < text.size() && quote(text[end]));
}

size_t find_tag(std::string_view text, const std::string& tag, size_t from) {
  for (size_t at = text.find(tag, from); at != text.npos; at = text.find(tag, at + 1))
    if (!quoted(text, at, at + tag.size())) return at;
  return text.npos;
}

// An opening tag counts at the start of a line: reasoning is a paragraph of its own.
bool at_line_start(std::string_view text, size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\r')) at--;
  return at == 0 || text[at - 1] == '\n';
}

}  // namespace

Reasoning strip_reasoning(std::string_view reply) {
  for (auto name : kTags) {
    std::string open = "<" + std::string(name) + ">", close = "</" + std::string(name) + ">";
    size_t begin = find_tag(reply, open, 0);
    while (begin != reply.npos && !at_line_start(reply, begin)) begin = find_tag(reply, open, begin + 1);
    // A tag behind the first code fence is part of an answer, unless a closing tag shows that the fence was a draft.
    size_t end = reply.npos;
    for (size_t at = find_tag(reply, close, 0); at != reply.npos; at = find_tag(reply, close, at + 1)) end = at;
    if (end != reply.npos) {
      size_t inside = begin == reply.npos || begin > end ? 0 : begin + open.size();
      return {reply.substr(end + close.size()), reply.substr(inside, end - inside), true, false};
    }
    if (begin != reply.npos && reply.substr(0, begin).find("```") == reply.npos)
      return {{}, reply.substr(begin + open.size()), true, true};
  }
  return {reply, {}, false, false};
}

}  // namespace kbx::intake
