// docs/ir-operations.md is true: what it says runs is in a table, what it refuses is refused by name, nothing is
// missing.
#include <algorithm>
#include <set>

#include "fixture.h"
#include "ir/operation_names.h"

namespace kbx::ir {
namespace {

struct Row {
  std::string name, status, file;
};

// "| `tt.load` | runs | all | lower_memory.cpp | note |"
std::vector<Row> documented() {
  auto text = read_file(KBX_SOURCE_DIR "/docs/ir-operations.md");
  std::vector<Row> rows;
  if (!text) return rows;
  for (size_t at = 0; at < text->size();) {
    size_t end = std::min(text->find('\n', at), text->size());
    std::string line = text->substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    for (size_t k = 2; k < line.size();) {
      size_t bar = std::min(line.find(" |", k), line.size());
      cells.push_back(line.substr(k, bar - k));
      k = bar + 3;
    }
    if (cells.size() >= 4) rows.push_back({cells[0].substr(1, cells[0].size() - 2), cells[1], cells[3]});
  }
  return rows;
}

TEST(IrOperations, TheDocumentNamesWhatTheTablesHave) {
  auto names = operation_names();
  std::set<std::string> tables(names.begin(), names.end()), document;
  EXPECT_EQ(tables.size(), names.size()) << "an operation with two rows";
  for (const Row& row : documented()) {
    EXPECT_TRUE(document.insert(row.name).second) << row.name << " stands there twice";
    bool has_row = tables.contains(row.name), frame = row.name == "tt.func" || row.name == "builtin.module";
    EXPECT_TRUE(row.status == "runs" || row.status == "refused" || row.status == "rewritten") << row.status;
    EXPECT_EQ(row.status == "runs", has_row || frame) << row.name;
    if (!has_row) continue;
    auto source = read_file(KBX_SOURCE_DIR "/src/ir/" + row.file);
    ASSERT_TRUE(source) << row.file;
    EXPECT_NE(source->find('"' + row.name + '"'), std::string::npos) << row.name << " is not in " << row.file;
  }
  EXPECT_GE(document.size(), 150u);
  for (const std::string& name : tables) EXPECT_TRUE(document.contains(name)) << name << " is not in the document";
}

TEST(IrOperations, WhatIsRefusedIsRefusedByName) {
  for (const Row& row : documented()) {
    if (row.status == "runs") continue;
    std::string text =
        "\"builtin.module\"() ({\n\"tt.func\"() <{function_type = () -> (), sym_name = \"k\", "
        "sym_visibility = \"public\"}> ({\n^bb0:\n\"" +
        row.name + "\"() : () -> ()\n\"tt.return\"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n";
    auto program = compile(text);
    ASSERT_FALSE(program) << row.name;
    EXPECT_TRUE(program.error().message.starts_with("not_judged: " + row.name + ": ")) << program.error().message;
  }
}

}  // namespace
}  // namespace kbx::ir
