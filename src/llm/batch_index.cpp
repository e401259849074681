#include "llm/batch_index.h"

#include <fmt/format.h>

#include <array>

#include "base/files.h"
#include "base/hash.h"

namespace kbx::llm {
namespace {

namespace fs = std::filesystem;
constexpr const char* kFormat = "kbx batch 1";
constexpr std::array<std::string_view, 8> kDialects{"anthropic", "openai", "deepseek", "vllm", "sglang", "llamacpp", "transformers", "gateway"};
constexpr size_t kMostId = 64, kHash = 12;

int small(const Json& json, const char* key) { return int(std::clamp<long long>(get_int(json, key).value_or(0), 0, INT32_MAX)); }

}  // namespace

std::string custom_id_of(const CallId& id) {
  std::string hash = FieldHash().add(id.task).add(id.role).add(std::to_string(id.round)).add(std::to_string(id.slot)).add(std::to_string(id.attempt)).hex();
  auto plain = [](std::string_view text, size_t most) {
    std::string out;
    for (char c : text.substr(0, most)) out += (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? c : '_';
    return out;
  };
  std::string tail = fmt::format("_{}_{}_{}_{}", plain(id.role, 10), id.round, id.slot, id.attempt);
  size_t room = kMostId - kHash - 1;
  std::string words = plain(id.task, room - std::min(room, tail.size())) + tail;
  return words.substr(0, room) + "-" + hash.substr(0, kHash);
}

std::string dump_index(const BatchIndex& index) {
  Json calls = Json::array();
  for (const auto& [custom_id, e] : index.calls)
    calls.push_back({{"custom_id", custom_id}, {"task", e.id.task}, {"role", e.id.role}, {"round", e.id.round}, {"slot", e.id.slot}, {"attempt", e.id.attempt},
                     {"model", e.model}, {"key", e.key}, {"in_estimate", e.in_estimate}});
  return dump_json({{"format", kFormat}, {"dialect", kDialects[size_t(index.dialect)]}, {"provider", index.provider}, {"calls", std::move(calls)}}, 1) + "\n";
}

Result<BatchIndex> parse_index(std::string_view text) {
  KBX_TRY_ASSIGN(Json json, parse_json(text));
  auto format = get_string(json, "format");
  if (format != kFormat)
    return fail(Code::usage, format && format->rfind("kbx batch ", 0) == 0 ? "made by another version of kbx: it says \"" + *format + "\", this one reads \"" + kFormat + "\""
                                                                           : std::string("not the index of a batch: \"format\" is not \"") + kFormat + "\"");
  BatchIndex index;
  index.provider = get_string(json, "provider").value_or("");
  auto dialect = get_string(json, "dialect").value_or("");
  auto at = std::find(kDialects.begin(), kDialects.end(), dialect);
  if (at == kDialects.end()) return fail(Code::usage, "unknown dialect \"" + dialect + "\"");
  index.dialect = DialectName(at - kDialects.begin());
  for (const Json& c : get(json, "calls")) {
    BatchEntry e{{get_string(c, "task").value_or(""), get_string(c, "role").value_or(""), small(c, "round"), small(c, "slot"), small(c, "attempt")},
                 get_string(c, "model").value_or(""), get_string(c, "key").value_or(""), std::max<int64_t>(0, get_int(c, "in_estimate").value_or(0))};
    std::string custom_id = get_string(c, "custom_id").value_or("");
    if (custom_id != custom_id_of(e.id)) return fail(Code::usage, "the custom_id \"" + custom_id + "\" is not that of " + to_text(e.id) + ": the index was changed");
    index.calls[custom_id] = std::move(e);
  }
  return index;
}

Result<BatchIndex> load_index(const fs::path& path) {
  std::error_code ec;
  if (!fs::exists(path, ec)) return fail(Code::usage, "there is no file or folder " + path.string() + ": name the file of results that the vendor gave, or the folder with the saved answers");
  fs::path folder = fs::is_directory(path, ec) ? path : path.parent_path();
  fs::path file = (folder.empty() ? fs::path(".") : folder) / kIndexFile;
  if (!fs::exists(file, ec))
    return fail(Code::usage, "no " + file.string() + ": put the result file into the folder that the requests were written to");
  KBX_TRY_ASSIGN(std::string text, read_file(file));
  auto index = parse_index(text);
  if (!index) return tl::unexpected(with_context(std::move(index.error()), "while reading " + file.string()));
  return index;
}

}  // namespace kbx::llm
