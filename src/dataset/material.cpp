// Material: see the header.
#include "dataset/material.h"

#include <fmt/format.h>

#include "base/text.h"

namespace kbx::dataset {

Result<Material> Material::read(const report::Runs& runs, const Options& options, Totals& totals) {
  Material out(runs, options);
  KBX_TRY_ASSIGN(out.attempts_, read_attempts(runs, options.methods, totals.scrubbed, totals.by_rule));
  out.find_distinct(totals);
  if (totals.distinct == 0) return fail(Code::usage, fmt::format("these runs hold no program to write: {} candidates of tasks in the suite, none of them with code that was judged", totals.candidates));
  return out;
}

void Material::find_distinct(Totals& totals) {
  std::map<std::pair<std::string, std::string>, size_t> place;  // task, normal form -> in distinct_
  for (size_t k = 0; k < attempts_.size(); k++) {
    const Attempt& a = attempts_[k];
    totals.candidates++;
    if (a.code.empty() || a.out.verdict == Verdict::harness_error) {
      totals.left_out++;
      continue;
    }
    auto [entry, fresh] = place.try_emplace({a.task, a.normal}, distinct_.size());
    if (fresh) {
      distinct_.push_back({k, 1});
      continue;
    }
    auto& [first, copies] = distinct_[entry->second];
    copies++;
    if (a.timed() && !attempts_[first].timed()) first = k;
  }
  totals.distinct = int64_t(distinct_.size());
}

Asked Material::asked(const Attempt& a, ScrubCounts& scrubbed) const {
  const store::Store& store = runs_->all()[a.run].store;
  Asked out;
  if (a.call) {
    auto request = parse_json(store.blob(a.call->request).value_or(""));
    if (request) out.prompt = scrub(clean_utf8(prompt_text(chat_request_from(*request))), scrubbed);
    if (!out.prompt.empty()) out.source = "call";
    out.reply = a.call->reply;
  } else if (!a.reply_hash.empty()) {
    out.reply = scrub(clean_utf8(store.blob(a.reply_hash).value_or("")), scrubbed);
  }
  auto known = options_->prompts.find(a.task);
  if (!out.prompt.empty() || known == options_->prompts.end()) return out;
  out.prompt = known->second;
  out.source = "task";
  return out;
}

}  // namespace kbx::dataset
