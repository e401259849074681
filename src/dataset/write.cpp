// write_dataset(): see the header.
#include "dataset/write.h"

#include <set>

#include "base/files.h"
#include "dataset/card.h"
#include "dataset/material.h"
#include "dataset/output.h"

namespace kbx::dataset {
namespace {

class Tables {
 public:
  Tables(const Material& material, const Options& options, const std::filesystem::path& folder, Totals& totals)
      : material_(material), options_(options), splits_(options.tasks, options.shares), output_(folder, options.jsonl, options.parquet), totals_(totals) {}

  Result<void> write() {
    count_tasks();
    KBX_TRY(transitions());
    KBX_TRY(answers());
    KBX_TRY(preferences());
    return output_.close();
  }

 private:
  void count_tasks() {
    std::set<std::string> tasks;
    for (const auto& [k, copies] : material_.distinct()) tasks.insert(attempt(k).task);
    for (const std::string& task : tasks) totals_.tasks[size_t(splits_.part_of(task))]++;
  }

  Result<void> add(TableName table, const Attempt& a, const Row& row) {
    Part part = splits_.part_of(a.task);
    totals_.rows[size_t(table)][size_t(part)]++;
    return output_.add(table, part, row);
  }

  Result<void> transitions() {
    Transitions found = find_transitions(material_.attempts(), options_.judge);
    totals_.looked_at = found.looked_at;
    totals_.same_program = found.same_program;
    totals_.repeated = found.repeated;
    for (const Transition& t : found.all) {
      const Attempt &before = attempt(t.before), &after = attempt(t.after);
      Diff diff = unified_diff(before.code, after.code, "before/" + before.task + ".py", "after/" + after.task + ".py");
      totals_.kinds[size_t(t.kind)][size_t(splits_.part_of(after.task))]++;
      KBX_TRY(add(TableName::transitions, after, transition_row(before, after, t, diff, material_.asked(after, totals_.scrubbed), material_.run_name(after), options_.judge)));
    }
    return {};
  }

  Result<void> answers() {
    for (const auto& [k, copies] : material_.distinct()) {
      const Attempt& a = attempt(k);
      Asked asked = material_.asked(a, totals_.scrubbed);
      if (a.decided(options_.judge) && a.exe_ok(options_.judge) && !asked.prompt.empty()) KBX_TRY(add(TableName::sft, a, sft_row(a, asked, material_.run_name(a))));
      KBX_TRY(add(TableName::candidates, a, candidate_row(a, asked, material_.run_name(a), copies)));
    }
    return {};
  }

  Result<void> preferences() {
    std::vector<size_t> distinct;
    for (const auto& [k, copies] : material_.distinct()) distinct.push_back(k);
    for (const Preference& p : find_preferences(material_.attempts(), distinct, options_.judge)) {
      const Attempt& chosen = attempt(p.chosen);
      auto prompt = options_.prompts.find(chosen.task);
      if (prompt == options_.prompts.end()) continue;  // a task that this suite no longer has
      KBX_TRY(add(TableName::preference, chosen, preference_row(chosen, attempt(p.rejected), p, prompt->second, options_.judge)));
    }
    return {};
  }

  const Attempt& attempt(size_t k) const { return material_.attempts()[k]; }

  const Material& material_;
  const Options& options_;
  Splits splits_;
  Output output_;
  Totals& totals_;
};

Result<void> write_cards(const report::Runs& runs, const Options& options, const Totals& totals, const std::filesystem::path& folder) {
  KBX_TRY(write_file(folder / "README.md", card(runs, options, totals, options.parquet ? CardFor::parquet : CardFor::jsonl_alone)));
  std::error_code ec;
  if (!options.parquet || !std::filesystem::exists(folder / "jsonl", ec)) return {};
  return write_file(folder / "jsonl" / "README.md", card(runs, options, totals, CardFor::jsonl_below));
}

}  // namespace

Result<Totals> write_dataset(const report::Runs& runs, const Options& options, const std::filesystem::path& folder) {
  Totals totals;
  KBX_TRY_ASSIGN(Material material, Material::read(runs, options, totals));
  KBX_TRY_ASSIGN(auto part, begin_folder(folder));
  auto done = Tables(material, options, part, totals).write();
  if (done) done = write_cards(runs, options, totals, part);
  if (done) done = finish_folder(part, folder);
  if (done) return totals;
  std::error_code ec;
  std::filesystem::remove_all(part, ec);
  return tl::unexpected(done.error());
}

}  // namespace kbx::dataset
