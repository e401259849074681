// Small made-up runs for the tests of analyses, and cells of their tables.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "report/analysis/analyses.h"
#include "store/store.h"

namespace kbx::report {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / fmt::format("kbx_analysis_{}", ::getpid());
  Folder() { fs::remove_all(path); }
  ~Folder() { fs::remove_all(path); }
};

inline Record record(int64_t n, const std::string& candidate, const std::string& task, Verdict v) {
  Record r;
  r.job_key = fmt::format("key of {} and {}", candidate, n);
  r.ordinal = n;
  r.candidate = candidate;
  r.task = task;
  r.category = task[0] == 'q' ? "quantization" : task[0] == 'm' ? "math" : "fusion";
  r.verdict = r.paper = v;
  r.call_ok = r.paper_call_ok = v > Verdict::compile_error;
  r.exe_ok = r.paper_exe_ok = v == Verdict::correct;
  r.source_hash = std::string(63, '0') + char('a' + n % 6);
  r.engine_version = "1";
  r.task_version = "version of " + task;
  return r;
}

inline void time_it(Record& r, const std::string& gpu, double speedup) {
  Timing t;
  t.gpu = gpu;
  t.speedup = speedup;
  t.low = speedup * 0.99;
  t.high = speedup * 1.01;
  t.host_speedup = speedup * 0.8;
  r.timing = t;
  r.device = "cuda:0";
}

// Writes a run of these records and facts.
inline void write_run(const fs::path& folder, const std::vector<Record>& records, const Json& facts = Json::object()) {
  auto store = store::Store::open(folder);
  ASSERT_TRUE(store) << store.error().text();
  for (const auto& [name, value] : facts.items()) ASSERT_TRUE(store->put_fact(name, value));
  for (const Record& r : records) {
    auto done = store->append(r);
    ASSERT_TRUE(done) << done.error().text();
  }
}

inline Study study(const std::vector<fs::path>& folders, const MethodRules& rules = {}) {
  std::vector<std::string> names;
  for (const auto& f : folders) names.push_back(f.string());
  auto runs = Runs::open(names);
  EXPECT_TRUE(runs);
  auto s = study_of(*runs, rules);
  EXPECT_TRUE(s) << (s ? "" : s.error().text());
  return std::move(*s);
}

// The plain text of the cell in the first row that has these texts in the named columns.
inline std::string cell(const Section& section, const std::map<std::string, std::string>& where, const std::string& column) {
  const Table& t = section.table;
  auto at = [&](const std::string& key) {
    for (size_t k = 0; k < t.columns.size(); k++)
      if (t.columns[k].key == key) return k;
    ADD_FAILURE() << "no column " << key;
    return size_t(0);
  };
  for (const auto& row : t.rows) {
    bool fits = true;
    for (const auto& [key, text] : where) fits &= plain(row[at(key)]) == text;
    if (fits) return plain(row[at(column)]);
  }
  return "no such row";
}

}  // namespace kbx::report
