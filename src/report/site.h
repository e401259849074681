// The leaderboard site: a folder of files that needs no server and asks for nothing outside itself (docs/site.md).
//   index.html            methods, methods by category, tasks; runs, machines, downloads
//   candidates.html       every candidate: filter, sort, a page for each (#c=<id>), its details in data/pack-<n>.js
//   tasks/<task>.html     a task: methods and candidates; plain HTML without a script
//   data/                 candidates.csv, candidates.jsonl, leaderboard.json, packs
// What candidates and runs say is hostile, as in report/page.h: it is text in JSON or escaped, file names are made of
// letters, digits, '_', '-' and '.', and every page has a policy.
#pragma once
#include <filesystem>
#include <string>

#include "report/analysis/methods.h"
#include "report/runs.h"

namespace kbx::report {

struct SiteOptions {
  std::string title = "kbx leaderboard";
  MethodRules methods;
};

struct SiteTotals {
  int64_t candidates = 0, methods = 0, tasks = 0, files = 0;
  int64_t left_out = 0;  // by a rule (kLeftOut), in no other count
};

// FOLDER must not exist or be empty; it appears when all is written.
Result<SiteTotals> write_site(const Runs& runs, const SiteOptions& options, const std::filesystem::path& folder);

}  // namespace kbx::report
