#include "cli/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/words.h"
#include "cli/run_table.h"
#include "llm/token_count.h"
#include "report/text_table.h"
#include "stats/pass_at_k.h"

namespace kbx::cli {
namespace {

using generate::Spent;

// Mean over the tasks that ended; nothing when one of them has fewer samples than k.
std::optional<double> mean_pass(const generate::Ending& e, int64_t k) {
  double sum = 0;
  for (const auto& t : e.tasks) {
    if (t.samples == 0 && k == 1) continue;  // no answer: not right
    auto one = stats::pass_at_k(t.samples, t.correct, k);
    if (!one) return std::nullopt;
    sum += *one;
  }
  return e.tasks.empty() ? std::nullopt : std::optional<double>(sum / double(e.tasks.size()));
}

int64_t solved(const generate::Ending& e) {
  return std::count_if(e.tasks.begin(), e.tasks.end(), [](const auto& t) { return t.verdict == Verdict::correct; });
}
int64_t answered(const generate::Ending& e) {
  return std::count_if(e.tasks.begin(), e.tasks.end(), [](const auto& t) { return !t.candidate.empty(); });
}
int64_t most_samples(const generate::Ending& e) {
  int64_t most = 0;
  for (const auto& t : e.tasks) most = std::max(most, t.samples);
  return most;
}

std::string share(int64_t part, int64_t all) { return all ? fmt::format("{} of {} ({:.1f} %)", part, all, 100.0 * double(part) / double(all)) : "0 of 0"; }

}  // namespace

std::string run_summary(const agent::Method& method, const std::string& model, const generate::Ending& e, const Spent& s) {
  report::TextTable table({{method.name}, {model}});
  int64_t n = int64_t(e.tasks.size()), right = solved(e);
  table.add({"tasks that ended", std::to_string(n) + (e.unfinished ? fmt::format("; {} did not", e.unfinished) : "")});
  table.add({"with an answer", share(answered(e), n)});
  table.add({"correct", share(right, n)});
  std::set<int64_t> ks{1, std::max<int64_t>(1, most_samples(e))};
  for (int64_t k : ks)
    if (auto p = mean_pass(e, k)) table.add({fmt::format("pass@{}", k), fmt::format("{:.3f}", *p)});
  bool learns = method.loop != agent::LoopKind::single_pass || method.single_pass.samples > 1;
  table.add({"feedback", learns ? std::string(to_text(method.feedback)) : "none: one answer a task"});
  table.add({"calls", fmt::format("{}{}", s.calls, s.failed ? fmt::format(", {} of them without a reply", s.failed) : "")});
  table.add({"tokens", fmt::format("{} in ({} cached), {} out ({} reasoning){}", s.usage.in, s.usage.in_cached, s.usage.out, s.usage.reasoning, s.usage.estimated ? ", partly estimated" : "")});
  table.add({"cost", money(s) == "-" ? "no price is known" : money(s) + (s.unpriced ? fmt::format(" ({} calls have no price)", s.unpriced) : "")});
  if (right > 0) {
    std::string each = fmt::format("{:.1f} calls, {} tokens", double(s.calls) / double(right), short_count((s.usage.in + s.usage.out) / right));
    if (s.unpriced == 0) each += fmt::format(", ${:.4f}", s.usd / double(right));
    if (s.gpu_seconds > 0) each += fmt::format(", {:.1f} GPU s", s.gpu_seconds / double(right));
    table.add({"per solved task", each});
  }
  if (s.gpu_seconds > 0) table.add({"GPU", fmt::format("{:.1f} s", s.gpu_seconds)});
  table.add({"wall", fmt::format("{:.0f} s, {:.0f} s of it summed over calls", e.seconds, s.seconds)});
  return table.text();
}

bool nothing_came(const generate::Ending& e, const Spent& s) { return !e.tasks.empty() && answered(e) == 0 && s.calls > 0 && s.failed == s.calls; }

Json task_end_json(const generate::TaskEnd& t) {
  Json out = {{"task", t.task}, {"candidate", t.candidate}, {"why", t.why}, {"verdict", t.verdict ? Json(std::string(to_text(*t.verdict))) : Json()}, {"samples", t.samples},
              {"correct", t.correct}, {"cut_short", t.cut_short}, {"speedup", t.speedup ? Json(*t.speedup) : Json()}, {"calls", t.spent.calls}, {"tokens_in", t.spent.usage.in},
              {"tokens_out", t.spent.usage.out}, {"usd", t.spent.unpriced ? Json() : Json(t.spent.usd)}};
  return out;
}

Json run_summary_json(const agent::Method& method, const std::string& model, const generate::Ending& e, const Spent& s) {
  auto pass = mean_pass(e, 1);
  return {{"summary",
           {{"method", method.name}, {"model", model}, {"feedback", to_text(method.feedback)}, {"tasks", e.tasks.size()}, {"unfinished", e.unfinished}, {"answered", answered(e)},
            {"correct", solved(e)}, {"pass_at_1", pass ? Json(*pass) : Json()}, {"calls", s.calls}, {"failed_calls", s.failed}, {"tokens_in", s.usage.in}, {"tokens_out", s.usage.out},
            {"usd", s.unpriced ? Json() : Json(s.usd)}, {"gpu_seconds", s.gpu_seconds}, {"seconds", e.seconds}}}};
}

std::string estimate_text(const agent::Method& method, const llm::Model& model, size_t tasks, const std::vector<ChatRequest>& first, const generate::Budget& budget) {
  int64_t a_task = agent::most_calls(method), calls = a_task * int64_t(tasks), in = 0, out = 0;
  for (const ChatRequest& r : first) {
    in += llm::estimate_input(r);
    out = std::max(out, generate::most_output_tokens(r, model));
  }
  if (!first.empty()) in /= int64_t(first.size());
  std::string text = fmt::format("{} with {} ({}): {}, at most {} each, {} in all; replies of no use are asked for again ({} at most a call)\n", method.name, model.name, model.id,
                                 counted(int64_t(tasks), "task"), counted(a_task, "call"), calls, method.asks_again);
  text += fmt::format("the first prompts have about {} tokens (later ones show attempts and are longer); a reply may have {}\n", in, out ? std::to_string(out) : "any number of them");
  auto price = [&](int64_t reply) { return generate::cost_of({in, 0, 0, reply, 0, true}, model.price); };
  if (auto most = price(out); most && out)
    text += fmt::format("about ${:.2f} if every reply has 2000 tokens, ${:.2f} if every one is as long as it may be{}\n", *price(std::min<int64_t>(2000, out)) * double(calls), *most * double(calls),
                        model.price.date.empty() ? "" : "; prices of " + model.price.date);
  else
    text += "no price is known for this model: add price = { in = ..., out = ... } to [models." + model.name + "] in kbx.toml\n";
  for (const std::string& c : model.contamination) text += "note: this model has seen " + c + "\n";
  if (budget.any()) text += "budget: " + dump_json(generate::budget_json(budget)) + "\n";
  return text;
}

}  // namespace kbx::cli
