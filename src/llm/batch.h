// Batch: requests as the vendors' batch files, and their result files read back (docs/providers.md). Sending is the
// person's: half the price, up to a day of waiting.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "llm/batch_index.h"
#include "llm/dialect.h"

namespace kbx::llm {

struct BatchCall {
  ChatRequest request;
  Model model;
  std::string key;  // as BatchEntry::key
};

// Of one file; what one vendor's endpoint takes.
struct BatchLimits {
  size_t requests = 0, bytes = 0;
};
BatchLimits batch_limits(Protocol protocol);  // Anthropic: 100,000 and 256 MB; OpenAI: 50,000 and 200 MB

struct BatchFile {
  std::string name, bytes;
  size_t requests = 0;
};
struct BatchFiles {
  std::vector<BatchFile> files;  // "requests-001.json" (Anthropic: the body of its endpoint) or "requests-001.jsonl"
  BatchIndex index;
  std::vector<std::string> left_out;  // as HttpRequest::left_out, each once
};
// All calls are of `provider`. A file holds one model only where the vendor wants it so (OpenAI). Errors (usage): a call
// that the dialect cannot ask, two calls of one place, a call above the limit by itself.
Result<BatchFiles> make_batch(const std::vector<BatchCall>& calls, const Provider& provider, BatchLimits limits);
// make_batch() with the vendor's limits into a folder, with index.json and a README.md that says how to send it. Error: the
// folder holds a batch already. Gives what it wrote.
Result<BatchFiles> export_batch(const std::filesystem::path& folder, const std::vector<BatchCall>& calls, const Provider& provider);

struct BatchReply {
  std::string custom_id;
  BatchEntry entry;
  ChatResult result;  // expired and cancelled calls are retryable errors
  std::string raw;    // the line
  size_t line = 0;    // from 1
};
struct BatchProblem {
  size_t line = 0;  // 0 = not of one line
  std::string message;
};
struct BatchResults {
  std::vector<BatchReply> replies;     // in the file's order, one a call: a reply beats an error, else the first counts
  std::vector<BatchProblem> problems;  // lines that were not taken, and why
  std::vector<CallId> missing;         // of the index, in its order
};
// JSONL as it comes from the vendor: any order, some or all of the calls, OpenAI's output file and error file one after the
// other too. A line that is broken, cut or of another batch is told, and the others are taken.
BatchResults read_batch(std::string_view bytes, const BatchIndex& index);
// The index lies beside the first file. Errors: a file or the index cannot be read.
Result<BatchResults> import_batch(const std::vector<std::filesystem::path>& files);

}  // namespace kbx::llm
