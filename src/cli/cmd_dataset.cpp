// kbx dataset: runs as training data.
#include <fmt/format.h>

#include <numeric>

#include "base/text.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "dataset/write.h"
#include "suite/prompt.h"

namespace kbx::cli {
namespace {

struct Options {
  Flags flags;
  std::vector<std::string> runs, methods;
  std::string output, formats = "jsonl,parquet", split = "80,10,10", profile = "kbx";
  bool json = false;
};

Result<dataset::Options> options_of(const Options& o) {
  dataset::Options out;
  out.judge = o.profile == "paper" ? dataset::Judge::paper : dataset::Judge::kbx;
  KBX_TRY_ASSIGN(out.shares, dataset::parse_shares(o.split));
  out.jsonl = out.parquet = false;
  for (const std::string& word : split(o.formats, ',')) {
    if (word != "jsonl" && word != "parquet") return fail(Code::usage, "--format takes jsonl, parquet, both with a comma between, or upstream alone, not " + o.formats);
    (word == "jsonl" ? out.jsonl : out.parquet) = true;
  }
  for (const std::string& rule : o.methods) {
    KBX_TRY_ASSIGN(auto parsed, report::parse_method_rule(rule));
    out.methods.push_back(std::move(parsed));
  }
  KBX_TRY_ASSIGN(Settings settings, Settings::load(o.flags));
  KBX_TRY_ASSIGN(suite::Suite suite, open_suite(settings));
  for (const Task& t : suite.tasks) {
    out.tasks.push_back({t.name, t.category});
    out.prompts[t.name] = suite::prompt(t);
  }
  return out;
}

int64_t sum(const std::array<int64_t, dataset::kPartCount>& parts) { return std::accumulate(parts.begin(), parts.end(), int64_t(0)); }

Json totals_json(const dataset::Totals& t) {
  Json rows = Json::object(), kinds = Json::object(), scrubbed = Json::object();
  auto parts = [](const auto& n) { return Json{{"train", n[0]}, {"validation", n[1]}, {"test", n[2]}}; };
  for (size_t k = 0; k < dataset::kTableCount; k++) rows[std::string(to_text(dataset::TableName(k)))] = parts(t.rows[k]);
  for (size_t k = 0; k < dataset::kKindCount; k++) kinds[std::string(to_text(dataset::Kind(k)))] = parts(t.kinds[k]);
  for (const auto& [kind, n] : t.scrubbed) scrubbed[kind] = n;
  return {{"candidates", t.candidates}, {"distinct", t.distinct}, {"left_out", t.left_out}, {"left_out_by_rule", t.by_rule}, {"pairs", t.looked_at}, {"same_program", t.same_program}, {"repeated", t.repeated},
          {"rows", rows}, {"kinds", kinds}, {"scrubbed", scrubbed}};
}

std::string totals_text(const dataset::Totals& t, bool tables) {
  std::string out = fmt::format("{}, {}; {} pairs in a row, of which {} are one program, {} are there already\n", counted(t.candidates, "candidate"), counted(t.distinct, "distinct program"), t.looked_at, t.same_program, t.repeated);
  if (t.by_rule) out += counted(t.by_rule, "candidate") + " left out by a rule\n";
  auto line = [&](std::string_view name, const auto& n) { out += fmt::format("  {:<14} {:>7}   train {}, validation {}, test {}\n", name, sum(n), n[0], n[1], n[2]); };
  for (size_t k = 0; tables && k < dataset::kTableCount; k++) line(to_text(dataset::TableName(k)), t.rows[k]);
  out += "transitions:\n";
  for (size_t k = 0; k < dataset::kKindCount; k++) line(to_text(dataset::Kind(k)), t.kinds[k]);
  for (const auto& [kind, n] : t.scrubbed) out += fmt::format("removed: {} {}\n", n, kind);
  return out;
}

Result<int> run_dataset(const Options& o) {
  bool upstream = o.formats == "upstream";
  Options plain = o;
  if (upstream) plain.formats = "jsonl";
  KBX_TRY_ASSIGN(dataset::Options options, options_of(plain));
  KBX_TRY_ASSIGN(report::Runs runs, report::Runs::open(o.runs));
  KBX_TRY_ASSIGN(dataset::Totals totals, upstream ? dataset::write_upstream(runs, options, o.output) : dataset::write_dataset(runs, options, o.output));
  print(o.json ? dump_json(totals_json(totals), 2) + "\n" : totals_text(totals, !upstream));
  say("wrote " + o.output);
  return kEvaluated;
}

}  // namespace

std::function<int()> setup_dataset(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("RUN", o->runs, "folders of runs")->required();
  app.add_option("-o,--output", o->output, "folder for the data set; must not exist or be empty")->required();
  app.add_option("--format", o->formats, "jsonl, parquet, both with a comma between, or upstream (the published corpus' records) [jsonl,parquet]");
  app.add_option("--split", o->split, "shares of train, validation and test, by task; or none [80,10,10]");
  app.add_option("--profile", o->profile, "whose verdict says what is right: kbx or paper; upstream is always paper [kbx]")->check(CLI::IsMember({"kbx", "paper"}));
  app.add_option("--method", o->methods, "GLOB=NAME: the method of candidates whose id, or RUN/id, fits; NAME - leaves them out; may be given again");
  app.add_flag("--json", o->json, "the counts as JSON on stdout");
  add_settings(app, o->flags, {"suite"});
  app.footer(
      "Examples:\n"
      "  kbx dataset runs/geak -o data                 then: datasets.load_dataset(\"data\", \"transitions\")\n"
      "  kbx dataset runs/a runs/b -o data --format parquet --split 90,5,5\n"
      "  kbx dataset runs/geak -o corpus --format upstream");
  return [o] {
    auto code = run_dataset(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
