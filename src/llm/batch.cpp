#include "llm/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "llm/token_count.h"

namespace kbx::llm {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kOpen = "{\"requests\":[\n", kClose = "\n]}\n";

// One kind of file: lines, and what stands around them.
class FileMaker {
 public:
  FileMaker(Protocol protocol, BatchLimits limits) : array_(protocol == Protocol::anthropic), limits_(limits) {}

  // False: the line does not fit even alone.
  bool add(const std::string& line) {
    size_t frame = array_ ? kOpen.size() + kClose.size() : 1;
    if (line.size() + frame > limits_.bytes) return false;
    if (now_.requests >= limits_.requests || (now_.requests > 0 && now_.bytes.size() + line.size() + frame + 2 > limits_.bytes)) close();
    if (array_) now_.bytes += now_.requests == 0 ? kOpen : std::string_view(",\n");
    now_.bytes += line;
    if (!array_) now_.bytes += '\n';
    now_.requests++;
    return true;
  }
  void close() {
    if (now_.requests == 0) return;
    if (array_) now_.bytes += kClose;
    now_.name = fmt::format("requests-{:03}.{}", files_.size() + 1, array_ ? "json" : "jsonl");
    files_.push_back(std::move(now_));
    now_ = {};
  }
  std::vector<BatchFile> take() {
    close();
    return std::move(files_);
  }

 private:
  bool array_;
  BatchLimits limits_;
  BatchFile now_;
  std::vector<BatchFile> files_;
};

std::string readme(const BatchFiles& batch, const Provider& provider) {
  std::string base = provider.base_url, key = provider.key_env.empty() ? "YOUR_KEY" : "$" + provider.key_env;
  while (ends_with(base, "/")) base.pop_back();
  std::string out = fmt::format("# A batch of {} calls for {}\n\nFor each file:\n\n", batch.index.calls.size(), provider.name);
  if (provider.protocol == Protocol::anthropic) {
    if (!ends_with(base, "/v1")) base += "/v1";
    out += fmt::format("```sh\ncurl {0}/messages/batches -H \"x-api-key: {1}\" -H \"anthropic-version: 2023-06-01\" -H \"content-type: application/json\" \\\n"
                       "  --data-binary @requests-001.json                       # prints the batch's id\n"
                       "curl {0}/messages/batches/ID -H \"x-api-key: {1}\" -H \"anthropic-version: 2023-06-01\"   # until \"ended\"\n"
                       "curl {0}/messages/batches/ID/results -H \"x-api-key: {1}\" -H \"anthropic-version: 2023-06-01\" > results-001.jsonl\n```\n", base, key);
  } else {
    out += fmt::format("```sh\ncurl {0}/files -H \"Authorization: Bearer {1}\" -F purpose=batch -F file=@requests-001.jsonl   # prints the file's id\n"
                       "curl {0}/batches -H \"Authorization: Bearer {1}\" -H \"content-type: application/json\" \\\n"
                       "  -d '{{\"input_file_id\": \"FILE\", \"endpoint\": \"/v1/chat/completions\", \"completion_window\": \"24h\"}}'   # prints the batch's id\n"
                       "curl {0}/batches/ID -H \"Authorization: Bearer {1}\"                    # until \"completed\": output_file_id, error_file_id\n"
                       "curl {0}/files/OUTPUT_FILE/content -H \"Authorization: Bearer {1}\" > results-001.jsonl\n"
                       "curl {0}/files/ERROR_FILE/content -H \"Authorization: Bearer {1}\" > errors-001.jsonl\n```\n", base, key);
  }
  return out + "\nKeep index.json beside the result files: it says which call each custom_id is. Import as often as there is something new.\n";
}

}  // namespace

BatchLimits batch_limits(Protocol protocol) {
  if (protocol == Protocol::anthropic) return {100'000, 256'000'000};
  return {50'000, 200'000'000};
}

Result<BatchFiles> make_batch(const std::vector<BatchCall>& calls, const Provider& provider, BatchLimits limits) {
  BatchFiles out;
  out.index.dialect = provider.dialect;
  out.index.provider = provider.name;
  // Requests of one model follow each other; the calls' own order otherwise.
  std::vector<const BatchCall*> order;
  for (const BatchCall& c : calls) order.push_back(&c);
  bool by_model = provider.protocol == Protocol::openai;
  if (by_model) std::stable_sort(order.begin(), order.end(), [](const BatchCall* a, const BatchCall* b) { return a->model.id < b->model.id; });
  FileMaker maker(provider.protocol, limits);
  for (size_t k = 0; k < order.size(); k++) {
    const BatchCall& c = *order[k];
    std::string custom_id = custom_id_of(c.request.id);
    if (!out.index.calls.emplace(custom_id, BatchEntry{c.request.id, c.request.model, c.key, estimate_input(c.request)}).second)
      return fail(Code::usage, "two calls are both " + to_text(c.request.id) + ": a batch tells calls apart by their place");
    KBX_TRY_ASSIGN(Json line, dialect_of(provider.dialect).batch_line(c.request, provider, c.model, custom_id));
    if (by_model && k > 0 && order[k - 1]->model.id != c.model.id) maker.close();
    std::string text = dump_json(line);
    if (!maker.add(text)) return fail(Code::usage, fmt::format("the call {} has {} bytes, and a batch file may have {}", to_text(c.request.id), text.size(), limits.bytes));
  }
  out.files = maker.take();
  return out;
}

Result<BatchFiles> export_batch(const fs::path& folder, const std::vector<BatchCall>& calls, const Provider& provider) {
  std::error_code ec;
  if (fs::exists(folder / kIndexFile, ec)) return fail(Code::usage, folder.string() + " holds a batch already: choose another folder, or remove it");
  KBX_TRY_ASSIGN(BatchFiles out, make_batch(calls, provider, batch_limits(provider.protocol)));
  fs::create_directories(folder, ec);
  if (ec) return fail(Code::io, "cannot create " + folder.string() + ": " + ec.message());
  for (const BatchFile& f : out.files) KBX_TRY(write_file(folder / f.name, f.bytes));
  KBX_TRY(write_file(folder / "README.md", readme(out, provider)));
  KBX_TRY(write_file(folder / kIndexFile, dump_index(out.index)));  // last: with it the batch is whole
  return out;
}

}  // namespace kbx::llm
