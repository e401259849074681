#include "generate/cassette.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/files.h"
#include "base/json.h"
#include "generate/exchange_json.h"

namespace kbx::generate {

Result<Cassette> Cassette::open(const std::filesystem::path& folder) {
  std::error_code ec;
  std::filesystem::create_directories(folder, ec);
  if (ec) return fail(Code::io, "cannot create " + folder.string() + ": " + ec.message());
  Cassette out(folder / "cassette.jsonl");
  out.file_ = Fd(::open(out.path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!out.file_) return fail_errno(Code::io, "cannot open " + out.path_.string());
  KBX_TRY_ASSIGN(std::string text, read_file(out.path_));
  size_t at = 0;
  for (int64_t line = 1; at < text.size(); line++) {
    size_t end = text.find('\n', at);
    if (end == text.npos) break;  // cut off: written over by the next line
    auto json = parse_json(std::string_view(text).substr(at, end - at));
    Result<void> taken = json ? out.read_line(*json, {int64_t(at), int64_t(end - at)}) : Result<void>(tl::unexpected(json.error()));
    if (!taken) return fail(Code::usage, fmt::format("{}:{}: not a line of a cassette: {}", out.path_.string(), line, taken.error().message));
    at = end + 1;
  }
  out.end_ = int64_t(at);
  return out;
}

Result<void> Cassette::read_line(const Json& json, Place place) {
  if (auto task = get_string(json, "order")) {
    KBX_TRY_ASSIGN(Step step, step_from(json));
    int64_t at = get_int(json, "at").value_or(-1);
    if (at < 0) return fail(Code::usage, "a step without its number");
    return order_.put(*task, size_t(at), std::move(step));
  }
  auto key = get_string(json, "key");
  if (!key) return fail(Code::usage, "neither a call nor a step");
  places_.insert_or_assign(*key, place);
  return {};
}

Result<std::optional<llm::Exchange>> Cassette::find(const std::string& key) const {
  auto place = places_.find(key);
  if (place == places_.end()) return std::optional<llm::Exchange>();
  std::string line(size_t(place->second.bytes), '\0');
  if (::pread(file_.get(), line.data(), line.size(), place->second.at) != ssize_t(line.size())) return fail_errno(Code::io, "cannot read " + path_.string());
  KBX_TRY_ASSIGN(Json json, parse_json(line));
  llm::Exchange exchange;
  exchange.request = chat_request_from(get(json, "request"));
  raw_from(get(json, "raw"), exchange);
  exchange.result = result_from(get(json, "result"));
  return std::optional<llm::Exchange>(std::move(exchange));
}

Result<void> Cassette::add(const std::string& key, const llm::Exchange& exchange) {
  std::string line = dump_json({{"key", key}, {"call", to_text(exchange.request.id)}, {"request", chat_request_json(exchange.request)},
                                {"raw", raw_json(exchange)}, {"result", result_json(exchange.result)}}) + "\n";
  Place place{end_, int64_t(line.size()) - 1};
  KBX_TRY(append(line));
  places_[key] = place;
  return {};
}

Result<void> Cassette::add(const std::string& task, size_t at, const Step& step) {
  Json json = {{"order", task}, {"at", at}};
  json.update(step_json(step));
  return append(dump_json(json) + "\n");
}

Result<void> Cassette::append(const std::string& line) {
  if (::pwrite(file_.get(), line.data(), line.size(), end_) != ssize_t(line.size())) return fail_errno(Code::io, "cannot write " + path_.string());
  end_ += int64_t(line.size());
  return {};
}

}  // namespace kbx::generate
