// Published figures beside ours: see the header.
#include "report/analysis/against_paper.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/paper_figures.h"

namespace kbx::report {
namespace {

std::string text(const Json& j, const char* key) { return get_string(j, key).value_or(""); }

const Table* table_of(const Sections& sections, const std::string& id) {
  for (const Section& s : sections)
    if (s.table.id == id) return &s.table;
  return nullptr;
}

std::optional<size_t> column_of(const Table& t, const std::string& key) {
  for (size_t k = 0; k < t.columns.size(); k++)
    if (t.columns[k].key == key) return k;
  return std::nullopt;
}

// The cell of a figure: in the rows that have all the texts of `match`, of the first or, where asked for, of the last.
std::optional<Cell> cell_of(const Sections& sections, const Json& figure, const Json& match) {
  const Table* t = table_of(sections, text(figure, "table"));
  if (!t || !match.is_object()) return std::nullopt;
  auto column = column_of(*t, text(figure, "column"));
  if (!column) return std::nullopt;
  std::optional<Cell> found;
  for (const auto& row : t->rows) {
    bool fits = true, last = false;
    for (const auto& [key, value] : match.items()) {
      std::string want = value.is_string() ? value.get<std::string>() : "";
      last |= want == "last";
      if (want == "first" || want == "last") continue;
      auto at = column_of(*t, key);
      fits &= at && plain(row[*at]) == want;
    }
    if (fits && (!found || last)) found = row[*column];
  }
  return found;
}

// Candidates of one category that are correct, of those judged.
Cell counted(const Study& s, const std::string& category, bool paper) {
  int64_t k = 0, n = 0;
  for (const Trial& t : s.trials) {
    if (!t.counts || s.categories[t.category] != category) continue;
    n += paper ? t.paper_judged() : t.judged();
    k += paper ? t.paper_correct() : t.correct();
  }
  return n ? share_of(k, n) : missing("no candidate");
}

std::string why_not(const Study& s, const Json& paper, const Json& figure) {
  std::string out;
  auto add = [&](const std::string& reason) { out += (out.empty() ? "not comparable because " : "; ") + reason; };
  std::set<std::string> methods;
  for (int k = 0; k < s.methods.size(); k++) methods.insert(s.methods[k]);
  for (const Json& need : get(figure, "needs")) {
    if (need == "methods") {
      std::string absent;
      for (const Json& m : get(paper, "methods"))
        if (m.is_string() && !methods.count(m.get<std::string>())) absent += (absent.empty() ? "" : ", ") + m.get<std::string>();
      if (!absent.empty()) add("the runs hold no candidate of " + absent);
    } else if (need == "tasks") {
      std::set<int> tried;
      for (const Trial& t : s.trials)
        if (t.counts) tried.insert(t.task);
      if (int64_t want = get_int(paper, "tasks").value_or(0); int64_t(tried.size()) < want) add(fmt::format("{} of {} tasks were tried", tried.size(), want));
    } else if (need == "geak" && !methods.count("geak")) {
      add("the runs hold no method geak");
    }
  }
  return out;
}

}  // namespace

Section against_paper_table(const Study& s, const Sections& sections) {
  Table t{"against_paper", "Published figures beside ours",
          {{"claim", "claim"}, {"published", "published"}, {"where", "where"}, {"paper_rules", "ours, published rules"}, {"kbx", "ours, kbx"}, {"comparable", "comparable?"}}, {}, {}, ""};
  auto parsed = parse_json(kPaperFigures);
  if (!parsed) {
    t.lacking = "the file of published figures is damaged";
    return {std::move(t), {}};
  }
  const Json& paper = *parsed;
  for (const Json& f : get(paper, "figures")) {
    Form form = text(f, "form") == "ratio" ? Form::ratio : Form::share;
    std::string why = why_not(s, paper, f);
    Cell kbx = missing("no such data"), by_paper = kbx;
    if (std::string category = text(f, "category"); !category.empty()) {
      kbx = counted(s, category, false);
      by_paper = counted(s, category, true);
    } else {
      kbx = cell_of(sections, f, get(f, "kbx")).value_or(kbx);
      by_paper = cell_of(sections, f, get(f, "paper")).value_or(missing("–"));
    }
    if (why.empty()) why = kbx.value || by_paper.value ? "the same question, other oracles" : "not comparable because the runs hold no such data";
    t.rows.push_back({word(text(f, "claim")), figure(form, get_double(f, "value")), word(text(f, "where")), by_paper, kbx, word(why)});
    if (std::string caveat = text(f, "caveat"); !caveat.empty() && std::find(t.notes.begin(), t.notes.end(), caveat) == t.notes.end()) t.notes.push_back(caveat);
  }
  t.notes.insert(t.notes.begin(), "Published: " + text(paper, "paper") + "; " + text(paper, "setting") + ". Its oracles refuse honest kernels of about 33 tasks and accept some wrong ones (docs/suite-audit.md), so no figure of it can be met exactly. Figures without a place are quoted second hand.");
  return {std::move(t), {}};
}

}  // namespace kbx::report
