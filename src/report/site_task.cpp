// The site's page of one task: see the header.
#include "report/site_task.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "report/page_form.h"

namespace kbx::report {
namespace {

std::string percent(double v) { return fmt::format("{:.0f} %", 100 * v); }

std::string method_row(const std::string& name, const Tally& t) {
  auto share = t.share();
  std::string right = share ? fmt::format("{} <span class=\"soft\">[{:.0f}, {:.0f}]</span>", percent(share->value), 100 * share->low, 100 * share->high) : "–";
  std::string flag = t.caught ? fmt::format("<span class=\"flag caught\">{} caught</span>", t.caught) : t.judged ? "<span class=\"flag honest\">none caught</span>" : "–";
  return fmt::format("<tr><td class=\"name\">{}</td><td class=\"num\">{}</td><td class=\"num\">{} / {}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td>{}</td></tr>\n", html_text(name, 200), right, t.right, t.judged, t.call,
                     t.paper, flag);
}

// The families of page/verdicts.js.
std::string_view family_of(Verdict v) {
  switch (v) {
    case Verdict::correct: return "correct";
    case Verdict::not_judged: return "open";
    case Verdict::harness_error: return "ours";
    case Verdict::constraint_violation:
    case Verdict::sandbox_violation:
    case Verdict::contract_violation:
    case Verdict::delegated: return "rules";
    case Verdict::illegal_memory_access:
    case Verdict::wrong_structure:
    case Verdict::mutated_input:
    case Verdict::unwritten_output:
    case Verdict::wrong_value:
    case Verdict::wrong_value_outlier:
    case Verdict::data_race:
    case Verdict::nondeterministic: return "wrong";
    default: return "fails";
  }
}

std::string pill(Verdict v) { return fmt::format("<span class=\"verdict f-{}\" title=\"{}\">{}</span>", family_of(v), html_text(meaning(v)), to_text(v)); }

std::string candidate_row(const TaskCandidate& c) {
  return fmt::format("<tr><td><a href=\"../candidates.html#c={}\">{}</a></td><td>{}{}</td><td>{}</td><td>{}</td><td class=\"num\">{}</td><td class=\"num\">{:.2f}</td><td class=\"text soft\">{}</td></tr>\n",
                     html_text(uri_component(c.id)), html_text(c.name.empty() ? "(unnamed)" : c.name, 120), html_text(c.method, 200), c.counts ? "" : " <span class=\"soft\">(step)</span>", pill(c.verdict), pill(c.paper), c.speedup.empty() ? "–" : c.speedup,
                     c.seconds, html_text(c.why, 300));
}

std::string head(const std::string& task, const std::string& title) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'self'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>" +
         html_text(task) + " · " + html_text(title) +
         "</title>\n<link rel=\"stylesheet\" href=\"../site.css\">\n</head>\n<body>\n<header class=\"top\"><a class=\"brand\" href=\"../index.html\"><b>kbx</b> leaderboard</a>"
         "<nav class=\"links\" aria-label=\"Site\"><a href=\"../index.html\">leaderboard</a><a href=\"../candidates.html\">candidates</a></nav></header>\n<main id=\"main\">\n";
}

}  // namespace

std::string task_file(const std::string& task) {
  bool safe = !task.empty() && task.size() <= 100 && task[0] != '.' && std::all_of(task.begin(), task.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  });
  return (safe ? task : "task-" + sha256_hex(task).substr(0, 16)) + ".html";
}

std::string task_page(const std::string& task, const std::string& title, const Board& board, const std::vector<TaskCandidate>& candidates) {
  std::string out = head(task, title);
  out += fmt::format("<h1>{}</h1>\n<p class=\"soft\">{} · {} candidates · <a href=\"../candidates.html#f=task={}\">filter and sort them</a></p>\n", html_text(task), html_text(board.category_of.at(task)), candidates.size(),
                     html_text(uri_component(task)));
  out += "<h2>Methods</h2>\n<div class=\"scroll\"><table><thead><tr><th>method</th><th class=\"num\">right</th><th class=\"num\">answers</th><th class=\"num\">call</th><th class=\"num\">right by published rules</th><th>honest?</th></tr></thead><tbody>\n";
  for (const auto& [name, m] : board.methods)
    if (auto tally = m.by_task.find(task); tally != m.by_task.end()) out += method_row(name, tally->second);
  out += "</tbody></table></div>\n<h2>Candidates</h2>\n<div class=\"scroll\" id=\"candidates\"><table><thead><tr><th>candidate</th><th>method</th><th>verdict</th><th>paper</th><th class=\"num\">speedup</th><th class=\"num\">seconds</th><th>why</th></tr></thead><tbody>\n";
  std::vector<const TaskCandidate*> order;
  for (const TaskCandidate& c : candidates) order.push_back(&c);
  std::stable_sort(order.begin(), order.end(), [](const TaskCandidate* a, const TaskCandidate* b) { return a->verdict > b->verdict; });
  for (const TaskCandidate* c : order) out += candidate_row(*c);
  return out + "</tbody></table></div>\n</main>\n</body>\n</html>\n";
}

}  // namespace kbx::report
