// The HTML report: see the header.
#include "report/page.h"

#include <unordered_map>

#include "base/text.h"
#include "report/app.h"
#include "report/candidate.h"
#include "report/cases.h"
#include "report/charts.h"
#include "report/data.h"
#include "report/dom.h"
#include "report/facts.h"
#include "report/list.h"
#include "report/overview.h"
#include "report/page_data.h"
#include "report/page_form.h"
#include "report/plot.h"
#include "report/shell.h"
#include "report/source.h"
#include "report/theme.h"
#include "report/times.h"
#include "report/verdicts.h"

namespace kbx::report {
namespace {

// In the order in which they use each other.
std::string script() { return page_script({kDomJs, kVerdictsJs, kFactsJs, kPlotJs, kThemeJs, kDataJs, kListJs, kOverviewJs, kChartsJs, kSourceJs, kCasesJs, kTimesJs, kCandidateJs, kAppJs}); }

size_t index_of(const Runs& runs, const Runs::Run& run) { return size_t(&run - runs.all().data()); }

Result<void> write_table(const Runs& runs, const Sink& out) {
  KBX_TRY_ASSIGN(Summary summary, runs.summary());
  std::string head = script_json(page_head(runs, summary));
  head.pop_back();  // its closing brace: the rows follow
  out(head + ",\"rows\":[");
  bool first = true;
  KBX_TRY(runs.each([&](const Runs::Run& run, const Record& record) {
    out((first ? "\n" : ",\n") + script_json(page_row(index_of(runs, run), record)));
    first = false;
    return true;
  }));
  out("]}");
  return {};
}

// One block a candidate (d<place>), one a distinct source (s<number>), each source before its first user.
Result<void> write_details(const Runs& runs, const Sink& out) {
  std::unordered_map<std::string, size_t> sources;
  size_t place = 0;
  return runs.each([&](const Runs::Run& run, const Record& record) {
    auto [entry, fresh] = sources.try_emplace(record.source_hash, sources.size());
    if (fresh) {
      std::string source = page_source(run.store, record);
      out("<script type=\"application/json\" id=\"s" + std::to_string(entry->second) + "\">" + script_json(source) +
          "</script>\n");
    }
    out("<script type=\"application/json\" id=\"d" + std::to_string(place++) + "\">" +
        script_json(page_detail(record, entry->second)) + "</script>\n");
    return true;
  });
}

}  // namespace

Result<void> write_page(const Runs& runs, const Sink& out, const PageExtra& extra) {
  PageForm form{kShellHtml, script(), extra.data ? "'self'" : "", {{"nav", extra.nav}}};
  return write_form(form, out, [&](std::string_view name) -> Result<void> {
    if (name != "data") return extra.data ? Result<void>() : write_details(runs, out);
    if (!extra.data) return write_table(runs, out);
    extra.data(out);
    return {};
  });
}

std::string page_source(const store::Store& store, const Record& record) {
  if (record.source_hash.empty()) return "";
  auto code = store.blob(record.source_hash);
  return code ? clean_utf8(*code, kPageSourceMost) : "# kbx: this code is not in the run's blobs any more, or is damaged";
}

}  // namespace kbx::report
