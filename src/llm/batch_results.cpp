// Reading the vendors' batch result files.
#include <fmt/format.h>

#include <map>

#include "base/files.h"
#include "base/text.h"
#include "llm/batch.h"

namespace kbx::llm {
namespace {

bool is_reply(const ChatResult& result) { return std::holds_alternative<ChatReply>(result); }

class BatchReading {
 public:
  explicit BatchReading(const BatchIndex& index) : index_(index) {}

  void line(std::string_view text, size_t number) {
    auto json = parse_json(text);
    if (!json) return problem(number, json.error().message + (text.back() == '}' ? "" : " (the line may be cut)"));
    if (!json->is_object()) return problem(number, "not an object");
    BatchReply r;
    r.result = dialect_of(index_.dialect).batch_result(*json, &r.custom_id);
    auto entry = index_.calls.find(r.custom_id);
    if (r.custom_id.empty()) return problem(number, "no \"custom_id\": is this the result file of a batch?");
    if (entry == index_.calls.end()) return problem(number, "custom_id \"" + shown(r.custom_id, 100) + "\" is not of this batch");
    if (auto* error = std::get_if<ApiError>(&r.result); error && error->fault == ApiFault::protocol) problem(number, error->message);
    r.entry = entry->second;
    r.raw = text;
    r.line = number;
    if (auto* reply = std::get_if<ChatReply>(&r.result); reply && reply->usage.in == 0) reply->usage.in = r.entry.in_estimate;
    keep(std::move(r));
  }

  void problem(size_t number, std::string message) { out_.problems.push_back({number, std::move(message)}); }

  BatchResults take() {
    for (const auto& [custom_id, entry] : index_.calls)
      if (!at_.contains(custom_id)) out_.missing.push_back(entry.id);
    return std::move(out_);
  }

 private:
  void keep(BatchReply r) {
    auto [at, fresh] = at_.emplace(r.custom_id, out_.replies.size());
    if (fresh) {
      out_.replies.push_back(std::move(r));
      return;
    }
    BatchReply& old = out_.replies[at->second];
    if (!is_reply(old.result) && is_reply(r.result)) old = std::move(r);
    else if (is_reply(r.result) && r.raw != old.raw)
      problem(r.line, fmt::format("a second reply of {}: the one of line {} counts", to_text(r.entry.id), old.line));
  }

  const BatchIndex& index_;
  BatchResults out_;
  std::map<std::string, size_t> at_;
};

}  // namespace

BatchResults read_batch(std::string_view bytes, const BatchIndex& index) {
  BatchReading reading(index);
  if (bytes.substr(0, 3) == "\xEF\xBB\xBF") bytes.remove_prefix(3);
  for (size_t number = 1; !bytes.empty(); number++) {
    size_t end = bytes.find('\n');
    std::string_view text = bytes.substr(0, end);
    bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + 1);
    size_t last = text.find_last_not_of(" \t\r");
    if (last == text.npos) continue;
    reading.line(text.substr(0, last + 1), number);
  }
  return reading.take();
}

Result<BatchResults> import_batch(const std::vector<std::filesystem::path>& files) {
  if (files.empty()) return fail(Code::usage, "no result file is named");
  KBX_TRY_ASSIGN(BatchIndex index, load_index(files.front()));
  std::string all;
  for (const auto& path : files) {
    KBX_TRY_ASSIGN(std::string bytes, read_file(path));
    if (bytes.rfind("\xEF\xBB\xBF", 0) == 0) bytes.erase(0, 3);
    all += bytes;
    if (!all.empty() && all.back() != '\n') all += '\n';
  }
  return read_batch(all, index);
}

}  // namespace kbx::llm
