// The run as Markdown that fits in a pull request: facts, the tables by category and verdict, where kbx and the
// published rules disagree, and what failed. Bounded (kMarkdownMost bytes): what does not fit is counted.
#pragma once
#include "report/runs.h"
#include "report/sink.h"

namespace kbx::report {

inline constexpr size_t kMarkdownMost = 60000;  // code hosts take 65536

Result<void> write_markdown(const Runs& runs, const Sink& out);

// Text of a candidate inside a table cell: as code where it is a name, else with everything escaped that Markdown, HTML
// or a code host (mentions, links) would act on. One line; at most `most` bytes.
std::string markdown_code(std::string_view text, size_t most = 120);
std::string markdown_text(std::string_view text, size_t most = 200);

}  // namespace kbx::report
