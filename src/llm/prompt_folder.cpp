#include "llm/prompt_folder.h"

#include <algorithm>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "intake/reasoning.h"
#include "llm/token_count.h"

namespace kbx::llm {
namespace {

namespace fs = std::filesystem;
constexpr uintmax_t kMostBytes = uintmax_t(16) << 20;

// The name of a reply file without its ending, or "".
std::string stem_of(const std::string& name) {
  for (const char* end : {".reply.md", ".reply.txt"})
    if (ends_with(name, end)) return name.substr(0, name.size() - std::string_view(end).size());
  return {};
}

std::string problem_of(const std::string& bytes) {
  if (bytes.rfind("\xFF\xFE", 0) == 0 || bytes.rfind("\xFE\xFF", 0) == 0) return "is UTF-16: save it as UTF-8";
  if (trim(bytes).empty()) return "is empty: paste the whole reply and save";
  return {};
}

ChatReply reply_of(std::string_view bytes, int64_t in_estimate) {
  if (bytes.substr(0, 3) == "\xEF\xBB\xBF") bytes.remove_prefix(3);
  ChatReply r;
  r.text = clean_utf8(bytes);
  if (auto split = intake::strip_reasoning(r.text); split.found && !split.open) {
    std::string answer(split.answer);
    r.reasoning = trim(split.reasoning);
    r.text = std::move(answer);
  }
  r.usage = TokenCount().usage(in_estimate, estimate_tokens(bytes), false);
  return r;
}

}  // namespace

std::string prompt_text(const ChatRequest& request) {
  std::string out = request.system;
  if (!out.empty()) out += "\n\n";
  bool turns = request.messages.size() > 1;
  for (const ChatMessage& m : request.messages) {
    if (turns) out += m.speaker == Speaker::user ? "## Question\n\n" : "## Your reply\n\n";
    out += m.text;
    if (!ends_with(out, "\n")) out += '\n';
    if (turns) out += '\n';
  }
  return out;
}

Result<size_t> export_prompts(const fs::path& folder, const std::vector<BatchCall>& calls) {
  std::error_code ec;
  if (fs::exists(folder / kIndexFile, ec)) return fail(Code::usage, folder.string() + " holds a batch already: choose another folder, or remove it");
  BatchIndex index;
  for (const BatchCall& c : calls)
    if (!index.calls.emplace(custom_id_of(c.request.id), BatchEntry{c.request.id, c.request.model, c.key, estimate_input(c.request)}).second)
      return fail(Code::usage, "two calls are both " + to_text(c.request.id) + ": a folder tells calls apart by their place");
  fs::create_directories(folder, ec);
  if (ec) return fail(Code::io, "cannot create " + folder.string() + ": " + ec.message());
  for (const BatchCall& c : calls) KBX_TRY(write_file(folder / (custom_id_of(c.request.id) + ".prompt.md"), prompt_text(c.request)));
  KBX_TRY(write_file(folder / kIndexFile, dump_index(index)));
  return calls.size();
}

Result<BatchResults> import_replies(const fs::path& folder) {
  KBX_TRY_ASSIGN(BatchIndex index, load_index(folder));
  std::error_code ec;
  std::set<std::string> names;
  for (fs::directory_iterator at(folder, ec), end; !ec && at != end; at.increment(ec))
    if (!stem_of(at->path().filename().string()).empty()) names.insert(at->path().filename().string());
  if (ec) return fail(Code::io, "cannot read " + folder.string() + ": " + ec.message());
  BatchResults out;
  std::set<std::string> answered;
  for (const std::string& name : names) {
    auto told = [&](const std::string& what) { out.problems.push_back({0, shown(name, 200) + " " + what}); };
    std::string custom_id = stem_of(name);
    auto entry = index.calls.find(custom_id);
    if (entry == index.calls.end()) { told("answers no prompt of this folder"); continue; }
    if (answered.contains(custom_id)) { told("is a second reply: the other file counts"); continue; }
    if (fs::file_size(folder / name, ec) > kMostBytes || ec) { told("is larger than 16 MiB, or no plain file"); continue; }
    auto bytes = read_file(folder / name);
    if (!bytes) { told("cannot be read: " + bytes.error().message); continue; }
    if (std::string problem = problem_of(*bytes); !problem.empty()) { told(problem); continue; }
    answered.insert(custom_id);
    out.replies.push_back({custom_id, entry->second, reply_of(*bytes, entry->second.in_estimate), *bytes, 0});
  }
  for (const auto& [custom_id, entry] : index.calls)
    if (!answered.contains(custom_id)) out.missing.push_back(entry.id);
  return out;
}

}  // namespace kbx::llm
