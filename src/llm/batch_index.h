// BatchIndex: which call each custom_id of a batch stands for. Vendors allow 64 characters of [A-Za-z0-9_-]; tasks have
// longer names and slashes. It lies beside the request files as index.json.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "llm/provider.h"
#include "model/chat.h"

namespace kbx::llm {

// Readable where the names are plain and short ("softmax_generator_0_2_0-1a2b3c4d5e6f"), always at most 64 characters of
// [A-Za-z0-9_-], the same for the same call, and other for another: it ends with a hash of all fields.
std::string custom_id_of(const CallId& id);

struct BatchEntry {
  CallId id;
  std::string model;  // name in [models]
  std::string key;    // the caller's, e.g. a hash of the request; comes back with the reply
  int64_t in_estimate = 0;  // tokens of the prompt
};

struct BatchIndex {
  DialectName dialect = DialectName::openai;
  std::string provider;  // name; "" = a folder for people
  std::map<std::string, BatchEntry> calls;  // by custom_id
};

std::string dump_index(const BatchIndex& index);
// Errors (usage): not an index, or one of a newer kbx.
Result<BatchIndex> parse_index(std::string_view text);
constexpr const char* kIndexFile = "index.json";
// Of a folder, or of the folder in which `path` lies. Errors: `path` is not there; there is none.
Result<BatchIndex> load_index(const std::filesystem::path& path);

}  // namespace kbx::llm
