// The dataset card: see the header.
#include "dataset/card.h"

#include <fmt/format.h>

#include <numeric>

#include "base/text.h"
#include "dataset/output.h"
#include "model/version.h"

namespace kbx::dataset {
namespace {

std::string_view dtype(Type type) { return type == Type::boolean ? "bool" : type == Type::integer ? "int64" : type == Type::real ? "float64" : "string"; }

int64_t sum(const std::array<int64_t, kPartCount>& parts) { return std::accumulate(parts.begin(), parts.end(), int64_t(0)); }

// One line, without what Markdown's tables or YAML would take for their own.
std::string plain(std::string_view text, size_t most = 200) {
  std::string out = shown(text, most);
  for (char& c : out)
    if (c == '\n' || c == '|' || c == '<' || c == '`') c = ' ';
  return out;
}

std::string file_of(TableName table, Part part, CardFor where) {
  if (where == CardFor::parquet) return Output::parquet_file(table, part).generic_string();
  std::string path = Output::jsonl_file(table, part).generic_string();
  return where == CardFor::jsonl_alone ? path : path.substr(path.find('/') + 1);
}

std::string size_category(int64_t n) { return n < 1000 ? "n<1K" : n < 10000 ? "1K<n<10K" : n < 100000 ? "10K<n<100K" : n < 1000000 ? "100K<n<1M" : "1M<n<10M"; }

std::string front_matter(const Totals& totals, CardFor where) {
  int64_t all = 0;
  for (const auto& parts : totals.rows) all += sum(parts);
  std::string out = fmt::format("---\npretty_name: Kernels judged by kbx\nlicense: unknown\ntask_categories:\n- text-generation\ntags:\n- code\n- triton\n- gpu-kernels\nsize_categories:\n- {}\n", size_category(all));
  std::string configs, infos;
  for (size_t t = 0; t < kTableCount; t++) {
    TableName table = TableName(t);
    if (!sum(totals.rows[t])) continue;
    configs += fmt::format("- config_name: {}\n  data_files:\n", to_text(table));
    for (size_t p = 0; p < kPartCount; p++)
      if (totals.rows[t][p]) configs += fmt::format("  - split: {}\n    path: {}\n", to_text(Part(p)), file_of(table, Part(p), where));
    infos += fmt::format("- config_name: {}\n  features:\n", to_text(table));
    for (const Column& c : columns(table)) infos += fmt::format("  - name: {}\n    dtype: {}\n", c.name, dtype(c.type));
  }
  if (!configs.empty()) out += "configs:\n" + configs + "dataset_info:\n" + infos;
  return out + "---\n";
}

std::string tables_section(const Totals& totals, CardFor where) {
  std::string out = "## Tables\n| config | train | validation | test | a row is |\n|---|--:|--:|--:|---|\n";
  for (size_t t = 0; t < kTableCount; t++)
    out += fmt::format("| `{}` | {} | {} | {} | {} |\n", to_text(TableName(t)), totals.rows[t][0], totals.rows[t][1], totals.rows[t][2], meaning(TableName(t)));
  out += "\n```python\nfrom datasets import load_dataset\n";
  for (size_t t = 0; t < kTableCount; t++)
    if (sum(totals.rows[t])) return out + fmt::format("data = load_dataset(\"{}\", \"{}\")\n```\nA table without a row has no files.\n", where == CardFor::jsonl_below ? "DIR/jsonl" : "DIR", to_text(TableName(t)));
  return out + "```\nThere is no row: the runs hold nothing that these tables are made of.\n";
}

std::string kinds_section(const Totals& totals) {
  std::string out = "## Transitions\n| kind | train | validation | test | meaning |\n|---|--:|--:|--:|---|\n";
  for (size_t k = 0; k < kKindCount; k++)
    out += fmt::format("| {} | {} | {} | {} | {} |\n", to_text(Kind(k)), totals.kinds[k][0], totals.kinds[k][1], totals.kinds[k][2], meaning(Kind(k)));
  out += fmt::format("\n{} pairs of decided candidates in a row were looked at; {} of them are one program in two forms, {} repeat a transition that is there.\n", totals.looked_at, totals.same_program,
                     totals.repeated);
  return out +
         "`relation` says what a pair is: `rounds` are one slot of a method's run, where the second program was asked for with the first in view; `samples` are independent answers to one task in input order, "
         "so their difference is no edit that anybody made.\n";
}

std::string origin_section(const report::Runs& runs, const Options& options) {
  std::string out = "## Where it comes from\n| run | started | kbx | torch | triton | device |\n|---|---|---|---|---|---|\n";
  ScrubCounts none;
  for (const report::Runs::Run& run : runs.all()) {
    const Json& versions = get(run.facts, "versions");
    auto word = [&](const Json& from, const char* key) { return scrub(plain(get_string(from, key).value_or("")), none); };
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", scrub(plain(run.label), none), word(run.facts, "started"), word(versions, "kbx"), word(versions, "torch"), word(versions, "triton"),
                       word(get(run.facts, "config"), "device"));
  }
  return out + fmt::format("\nWritten by kbx {}. What is right and what is not was decided by the profile `{}`: {}.\n", kEngineVersion, to_text(options.judge),
                           options.judge == Judge::kbx ? "float64 truth, a measured noise floor, contracts, the candidate's own kernels did the work" : "the published tolerance and rules, which let library calls pass");
}

std::string care_section(const Options& options, const Totals& totals) {
  std::string out = "## What was done to it\n";
  out += fmt::format("- **One program once.** {} candidates, {} distinct programs: formatting, comments, docstrings and the names of locals and helpers do not count as different (a normal form of the syntax tree).", totals.candidates,
                     totals.distinct);
  out += fmt::format(" {} candidates without code or with an error of the harness are left out.\n", totals.left_out);
  out += fmt::format("- **Split by task** ({:.0f} / {:.0f} / {:.0f} %): a task and its precision variants are in one part, by a hash that does not depend on this data; each category is cut alike. Tasks with candidates here: {} / {} / {}.\n",
                     100 * options.shares[0], 100 * options.shares[1], 100 * options.shares[2], totals.tasks[0], totals.tasks[1], totals.tasks[2]);
  std::string found;
  for (const auto& [kind, n] : totals.scrubbed) found += fmt::format("{}{} {}", found.empty() ? "" : ", ", n, kind);
  out += "- **Secrets** of known forms (keys of services, private keys, tokens, passwords in addresses and assignments, mail addresses, users' names in paths) are replaced by `[REMOVED ...]`: " + (found.empty() ? std::string("none was found") : found) +
         ". A secret of no known form would still be here.\n";
  return out;
}

std::string limits_section() {
  return "## What it cannot say\n"
         "- Programs were written by language models, some of them are hostile or cheat; `verdict`, `rules` and `flags` say what was caught. Do not run them outside a sandbox.\n"
         "- Without a GPU nothing is timed: `gpu` and all times are null, and there is no `slow_to_fast`.\n"
         "- `prompt_source` = `task` is kbx's own prompt of the task; the model may have been asked in other words.\n"
         "- The licence of generated code is not settled; the tasks are those of the suite named in `task`.\n";
}

std::string columns_section(const Totals& totals) {
  std::string out = "## Columns\n";
  for (size_t t = 0; t < kTableCount; t++) {
    if (!sum(totals.rows[t])) continue;
    out += fmt::format("### {}\n| column | type | meaning |\n|---|---|---|\n", to_text(TableName(t)));
    for (const Column& c : columns(TableName(t))) out += fmt::format("| `{}` | {} | {} |\n", c.name, dtype(c.type), c.meaning);
  }
  return out;
}

}  // namespace

std::string card(const report::Runs& runs, const Options& options, const Totals& totals, CardFor where) {
  return front_matter(totals, where) + "# Kernels judged by kbx\nGPU kernels (Triton) that language models wrote for the tasks of a kernel suite, each with a verdict, and what changed from one attempt to the next.\n\n" +
         tables_section(totals, where) + "\n" + kinds_section(totals) + "\n" + origin_section(runs, options) + "\n" + care_section(options, totals) + "\n" + limits_section() + "\n" + columns_section(totals);
}

}  // namespace kbx::dataset
