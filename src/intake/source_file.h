// What a .py or .md file says about itself: its task, its entry, and where its text begins.
#pragma once
#include <string>
#include <string_view>

namespace kbx::intake {

struct SourceMark {
  std::string task;  // empty: not said
  std::string entry;
  size_t text_begin = 0;  // byte behind a front matter block; 0 when there is none
};

// `# kbx-task: NAME` / `# kbx-entry: NAME` in the leading comment lines, `<!-- kbx-task: NAME -->` in a Markdown file's
// leading lines, or a front matter block (`---`, `task: NAME`, `entry: NAME`, `---`).
SourceMark read_mark(std::string_view text);

}  // namespace kbx::intake
