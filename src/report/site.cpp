// The leaderboard site: see the header.
#include "report/site.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "base/files.h"
#include "base/new_folder.h"
#include "base/text.h"
#include "report/board_script.h"
#include "report/csv.h"
#include "report/json_lines.h"
#include "report/page.h"
#include "report/page_data.h"
#include "report/page_form.h"
#include "report/site_packs.h"
#include "report/site_task.h"
#include "report/style.h"
#include "store/generation.h"

namespace kbx::report {
namespace fs = std::filesystem;
namespace {

constexpr const char* kNav = "<nav class=\"links\" aria-label=\"Site\"><a href=\"index.html\">leaderboard</a><a href=\"candidates.html\" aria-current=\"page\">candidates</a></nav>";

constexpr const char* kHow =
    "right: mean over tasks of the share of right answers (float64 truth, contracts, own kernels), with Wilson's 95 % interval; several answers to one task do not count as independent. "
    "call: compiles and returns. speedup: over torch eager, geometric mean over tasks, of the right answers that were timed (how many). "
    "caught: broke a rule of the task, left the sandbox, or let a library do the work. Undecided answers (this machine could not tell, or the harness failed) are in no share.";

class Site {
 public:
  Site(const Runs& runs, const SiteOptions& options, fs::path folder) : runs_(runs), options_(options), folder_(std::move(folder)), packs_(folder_ / "data") {}

  Result<SiteTotals> write() {
    KBX_TRY(read_answers());
    KBX_TRY(read_records());
    KBX_TRY(packs_.finish());
    for (const auto& [task, category] : board_.category_of) pages_[task] = "tasks/" + task_file(task);
    KBX_TRY(write_text("index.html", [&](const Sink& out) { return index_page(out); }));
    KBX_TRY(write_text("candidates.html", [&](const Sink& out) { return candidates_page(out); }));
    for (const auto& [task, candidates] : tasks_) KBX_TRY(write_whole(pages_.at(task), task_page(task, options_.title, board_, candidates)));
    KBX_TRY(write_whole("data/leaderboard.json", dump_json(board(), 1) + "\n"));
    KBX_TRY(write_whole("site.css", kStyleCss));
    return SiteTotals{board_.candidates, int64_t(board_.methods.size()), int64_t(board_.category_of.size()), files_ + packs_.files(), left_out_};
  }

 private:
  // What counts of each run of a method: its answers, not the steps that led to them.
  Result<void> read_answers() {
    for (const Runs::Run& run : runs_.all()) {
      KBX_TRY_ASSIGN(store::Generation generation, store::Generation::open_for_reading(run.store));
      if (generation.empty()) continue;
      auto& answers = answers_[&run];
      KBX_TRY_ASSIGN(auto rows, generation.answers());
      for (const store::AnswerRow& row : rows) answers.insert(row.samples.begin(), row.samples.end());
    }
    return {};
  }

  bool counts(const Runs::Run& run, const Record& r) const {
    auto answers = answers_.find(&run);
    return answers == answers_.end() || answers->second.count(r.candidate);
  }

  // One pass: a record is read once for all that is made of it.
  Result<void> read_records() {
    return write_text("data/candidates.csv", [&](const Sink& csv) {
      csv(csv_header());
      return write_text("data/candidates.jsonl", [&](const Sink& lines) -> Result<void> {
        Result<void> packed;
        KBX_TRY(runs_.each([&](const Runs::Run& run, const Record& r) {
          std::string method = clean_utf8(method_of(options_.methods, run.label, run.facts, r.candidate).name, 200);
          if (method == kLeftOut) {
            left_out_++;
            return true;
          }
          csv(csv_row(run.label, r));
          Json line = json_line(r);
          line["run"] = run.label;
          line["method"] = method;
          lines(dump_json(line) + "\n");
          add(run, r, method);
          packed = packs_.add(run.store, r);
          return bool(packed);
        }));
        return packed;
      });
    });
  }

  void add(const Runs::Run& run, const Record& r, const std::string& method) {
    bool counted = counts(run, r);
    summary_.add(r);
    board_.add(r, method, counted);
    auto [index, fresh] = method_index_.try_emplace(method, method_names_.size());
    if (fresh) method_names_.push_back(method);
    Json row = page_row(size_t(&run - runs_.all().data()), r);
    row.push_back(index->second);
    rows_ += (rows_.empty() ? "\n" : ",\n") + script_json(row);
    std::string base = runs_.all().size() > 1 ? run.label + "/" + r.candidate : r.candidate, id = base;
    for (int n = 2; !ids_.insert(id).second; n++) id = base + "~" + std::to_string(n);  // as page/data.js does
    if (!r.in_suite) return;
    std::string speedup = r.timing && r.timing->speedup ? fmt::format("{:.3g}", *r.timing->speedup) : "";
    tasks_[r.task].push_back({id, method, r.candidate, counted, r.verdict, r.paper, r.seconds, speedup, clean_utf8(r.explanation, 300)});
  }

  // `write` hands its bytes to a file of the site.
  Result<void> write_text(const fs::path& name, const std::function<Result<void>(const Sink&)>& write) {
    fs::path path = folder_ / name;
    std::error_code ec;
    fs::create_directories(path.parent_path(), ec);
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    if (!out) return fail(Code::io, "cannot write " + path.string());
    KBX_TRY(write([&](std::string_view bytes) { out.write(bytes.data(), std::streamsize(bytes.size())); }));
    out.close();
    if (!out) return fail(Code::io, "cannot write " + path.string() + " (is the disk full?)");
    files_++;
    return {};
  }
  Result<void> write_whole(const fs::path& name, std::string_view text) {
    return write_text(name, [&](const Sink& out) -> Result<void> {
      out(text);
      return {};
    });
  }

  Json board() const {
    Json out = board_json(board_, pages_), runs = Json::array();
    for (const Runs::Run& run : runs_.all()) runs.push_back({{"label", run.label}, {"facts", run.facts}});
    out["runs"] = runs;
    out["how"] = kHow;
    return out;
  }

  Result<void> index_page(const Sink& out) const {
    PageForm form{board_shell(), board_script(), "", {{"title", html_text(options_.title, 200)}}};
    return write_form(form, out, [&](std::string_view) -> Result<void> {
      out(script_json(board()));
      return {};
    });
  }

  Result<void> candidates_page(const Sink& out) const {
    Json head = page_head(runs_, summary_);
    head["packs"] = SitePacks::kSize;
    head["site"] = {{"methods", method_names_}, {"pages", pages_}};
    return write_page(runs_, out, {kNav, [&](const Sink& to) {
                                     std::string text = script_json(head);
                                     text.pop_back();  // its closing brace: the rows follow
                                     to(text + ",\"rows\":[");
                                     to(rows_);
                                     to("]}");
                                   }});
  }

  const Runs& runs_;
  const SiteOptions& options_;
  fs::path folder_;
  SitePacks packs_;
  std::map<const Runs::Run*, std::unordered_set<std::string>> answers_;
  std::unordered_set<std::string> ids_;
  std::vector<std::string> method_names_;
  std::map<std::string, size_t> method_index_;
  std::map<std::string, std::string> pages_;
  std::map<std::string, std::vector<TaskCandidate>> tasks_;
  std::string rows_;
  Summary summary_;
  Board board_;
  int64_t files_ = 0, left_out_ = 0;
};

}  // namespace

Result<SiteTotals> write_site(const Runs& runs, const SiteOptions& options, const fs::path& folder) {
  std::error_code ec;
  if (fs::exists(folder, ec) && (!fs::is_directory(folder, ec) || !fs::is_empty(folder, ec)))
    return fail(Code::usage, folder.string() + " already holds something; name another folder with -o, or remove it");
  fs::path to = folder.has_filename() ? folder : folder.parent_path();
  KBX_TRY_ASSIGN(fs::path part, make_folder_beside(to));
  auto totals = Site(runs, options, part).write();
  if (!totals) {
    fs::remove_all(part, ec);
    return totals;
  }
  fs::remove(to, ec);  // an empty one
  fs::rename(part, to, ec);
  if (ec) return fail(Code::io, "cannot give " + part.string() + " its name " + to.string() + ": " + ec.message());
  return totals;
}

}  // namespace kbx::report
