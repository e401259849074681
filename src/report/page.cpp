// The HTML report: see the header.
#include "report/page.h"

#include <map>
#include <unordered_map>

#include "base/base64.h"
#include "base/check.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/version.h"
#include "report/app.h"
#include "report/candidate.h"
#include "report/cases.h"
#include "report/chart.h"
#include "report/charts.h"
#include "report/data.h"
#include "report/dom.h"
#include "report/list.h"
#include "report/overview.h"
#include "report/page_data.h"
#include "report/shell.h"
#include "report/source.h"
#include "report/style.h"
#include "report/times.h"

namespace kbx::report {
namespace {

constexpr size_t kSourceMost = 400000;  // bytes of one candidate's code

// The page's own scripts in one scope, in the order in which they use each other.
std::string page_script() {
  std::string out = "\"use strict\";\n(() => {\n";
  for (const char* part : {kDomJs, kDataJs, kListJs, kOverviewJs, kChartsJs, kSourceJs, kCasesJs, kTimesJs, kCandidateJs, kAppJs})
    out += std::string(part) + "\n";
  return out + "})();\n";
}

std::string bytes_of_hex(std::string_view hex) {
  auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (size_t k = 0; k + 1 < hex.size(); k += 2) out += char(digit(hex[k]) << 4 | digit(hex[k + 1]));
  return out;
}

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
      std::string source = clean_utf8(run.store.blob(record.source_hash).value_or(""), kSourceMost);
      out("<script type=\"application/json\" id=\"s" + std::to_string(entry->second) + "\">" + script_json(source) +
          "</script>\n");
    }
    out("<script type=\"application/json\" id=\"d" + std::to_string(place++) + "\">" +
        script_json(page_detail(record, entry->second)) + "</script>\n");
    return true;
  });
}

}  // namespace

std::string script_json(const Json& value) {
  std::string text = dump_json(value), out;
  out.reserve(text.size() + text.size() / 16);
  for (char c : text) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

std::string policy_hash(std::string_view text) {
  std::string digest = bytes_of_hex(sha256_hex(text));
  return "sha256-" + to_base64(reinterpret_cast<const std::byte*>(digest.data()), digest.size());
}

Result<void> write_page(const Runs& runs, const Sink& out) {
  std::string script = page_script();
  std::map<std::string_view, std::string> texts = {
      {"version", kEngineVersion},
      {"style", kStyleCss},
      {"chart", kChartJs},
      {"page", script},
      {"policy", "default-src 'none'; base-uri 'none'; form-action 'none'; style-src '" + policy_hash(kStyleCss) +
                     "'; script-src '" + policy_hash(kChartJs) + "' '" + policy_hash(script) + "'"}};
  std::string_view rest = kShellHtml;
  for (size_t open; (open = rest.find("{{")) != rest.npos;) {
    size_t close = rest.find("}}", open);
    KBX_CHECK(close != rest.npos);  // a {{ without }} in shell.html
    std::string_view name = rest.substr(open + 2, close - open - 2);
    out(rest.substr(0, open));
    if (name == "data")
      KBX_TRY(write_table(runs, out));
    else if (name == "details")
      KBX_TRY(write_details(runs, out));
    else
      out(texts[name]);
    rest.remove_prefix(close + 2);
  }
  out(rest);
  return {};
}

}  // namespace kbx::report
