// Others' verdicts of the same candidates: see the header.
#include "report/analysis/against_file.h"

#include <fmt/format.h>

#include <numeric>
#include <unordered_map>

#include "base/files.h"
#include "base/json.h"
#include "base/text.h"

namespace kbx::report {
namespace {

struct Published {
  std::optional<bool> call, right;
  std::optional<double> speedup;
};
using ById = std::unordered_map<std::string, Published>;

std::optional<bool> truth(const Json& j, const char* key) {
  const Json& v = get(j, key);
  return v.is_boolean() ? std::optional(v.get<bool>()) : std::nullopt;
}

Result<ById> read_published(const std::filesystem::path& file) {
  KBX_TRY_ASSIGN(std::string text, read_file(file));
  ById out;
  int64_t number = 0;
  for (const std::string& line : split_lines(text)) {
    number++;
    if (trim(line).empty()) continue;
    auto parsed = parse_json(line);
    if (!parsed || !parsed->is_object()) return fail(Code::usage, fmt::format("{} line {} is no JSON object; --against takes paper, or the JSON lines that were judged", file.string(), number));
    const Json& said = get(*parsed, "published");
    if (!said.is_object()) continue;
    std::optional<double> speedup = get_double(said, "speedup");
    if (speedup && !(*speedup > 0)) speedup.reset();
    out[get_string(*parsed, "id").value_or(fmt::format("{}:{}", file.filename().string(), number))] = {truth(said, "call_ok"), truth(said, "exe_ok"), speedup};
  }
  if (out.empty()) return fail(Code::usage, "no line of " + file.string() + " says what was published of it (\"published\": {\"call_ok\", \"exe_ok\", \"speedup\"})");
  return out;
}

// Candidates of one published end.
struct Ends {
  int64_t all = 0, call = 0, right = 0, right_kbx = 0, own = 0;
};

struct Speeds {
  std::vector<double> values;
  Cell mean() const {
    if (values.empty()) return missing("–");
    return figure(Form::ratio, std::accumulate(values.begin(), values.end(), 0.0) / double(values.size()));
  }
  Cell slower() const { return share_of(std::count_if(values.begin(), values.end(), [](double v) { return v < 1; }), int64_t(values.size())); }
};

bool delegates(Verdict v) { return v == Verdict::constraint_violation || v == Verdict::delegated; }

}  // namespace

Result<Sections> against_file(const Runs& runs, const std::filesystem::path& file) {
  KBX_TRY_ASSIGN(ById published, read_published(file));
  std::array<Ends, 3> ends;  // published as correct, as called, as failed
  Speeds all, theirs, own;
  int64_t found = 0;
  for (const Runs::Run& run : runs.all())
    KBX_TRY(run.store.each_row([&](const store::JobRow& row) {
      auto at = published.find(std::string(row.candidate));
      if (at == published.end() || row.verdict == Verdict::harness_error || row.verdict == Verdict::not_judged || row.category.empty()) return true;
      const Published& p = at->second;
      found++;
      Ends& e = ends[p.right.value_or(false) ? 0 : p.call.value_or(false) ? 1 : 2];
      e.all++;
      e.call += implies_call(row.paper) || row.paper == Verdict::correct;
      e.right += row.paper == Verdict::correct;
      e.right_kbx += row.verdict == Verdict::correct;
      e.own += !delegates(row.verdict);
      if (!p.right.value_or(false) || !p.speedup) return true;
      all.values.push_back(*p.speedup);
      (delegates(row.verdict) ? theirs : own).values.push_back(*p.speedup);
      return true;
    }));
  if (found == 0) return fail(Code::usage, "no candidate of " + file.string() + " is in these runs; a candidate is known by its line's id, else by " + file.filename().string() + ":LINE");

  Table verdicts{"published_verdicts", "Verdicts published for these candidates, beside ours",
                 {{"published", "published as"}, {"candidates", "candidates"}, {"paper_call", "call, published rules"}, {"paper_correct", "correct, published rules"}, {"kbx", "correct, kbx"}, {"own", "not handed to torch"}}, {}, {}, ""};
  constexpr std::array<const char*, 3> kEnds = {"correct", "called", "failed"};
  for (size_t k = 0; k < ends.size(); k++)
    if (const Ends& e = ends[k]; e.all) verdicts.rows.push_back({word(kEnds[k]), count(e.all), share_of(e.call, e.all), share_of(e.right, e.all), share_of(e.right_kbx, e.all), share_of(e.own, e.all)});
  verdicts.notes = {fmt::format("{} lines say what was published; {} results of these runs belong to one. Published rules: as kbx carries them out.", published.size(), found)};
  Table speed{"published_speed", "Speedups published for these candidates", {{"group", "group"}, {"kernels", "kernels"}, {"geometric", "geometric mean"}, {"arithmetic", "arithmetic mean"}, {"slower", "slower than eager"}}, {}, {}, ""};
  for (const auto& [name, s] : {std::pair<const char*, const Speeds&>{"torch does the work (constraint_violation, delegated)", theirs}, {"the kernel does the work", own}, {"all", all}})
    if (!s.values.empty()) speed.rows.push_back({word(name), count(int64_t(s.values.size())), geometric(s.values), s.mean(), s.slower()});
  if (speed.rows.empty()) speed.lacking = "nothing published as correct has a published speedup";
  speed.notes = {"Others' times, on others' machines: torch against torch in one minute on one card gives 1. Interval of the geometric mean: Student's t on the logarithms; the arithmetic mean is what was published, without one."};
  return Sections{{std::move(verdicts), {}}, {std::move(speed), {}}};
}

}  // namespace kbx::report
