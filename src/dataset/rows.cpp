// Rows: see the header.
#include "dataset/rows.h"

#include <array>

#include "base/check.h"
#include "base/hash.h"

namespace kbx::dataset {
namespace {

constexpr std::array<std::string_view, kTableCount> kTables = {"transitions", "sft", "preference", "candidates"};
constexpr std::array<std::string_view, kTableCount> kMeanings = {
    "two attempts at one task in a row, and what the second changed: code, diff, verdict and error before and after",
    "a prompt and a right answer to it, for supervised fine-tuning",
    "a prompt with a better and a worse answer",
    "every distinct program with everything that the judge said of it"};

Cell text(const std::string& s) { return s.empty() ? Cell() : Cell(s); }
Cell text(std::string_view s) { return text(std::string(s)); }
Cell real(const std::optional<double>& v) { return v ? Cell(*v) : Cell(); }
Cell integer(const std::optional<int>& v) { return v ? Cell(int64_t(*v)) : Cell(); }
Cell count(const Attempt& a, int64_t Usage::*field) { return a.call ? Cell(a.call->usage.*field) : Cell(); }

// A column and how it is read off a T.
template <class T>
struct Field {
  const char* name;
  Type type;
  const char* meaning;
  Cell (*value)(const T&);
};

using A = Attempt;
// What is told of each side of a pair, and of a candidate.
constexpr Field<A> kSide[] = {
    {"candidate", Type::text, "its id in the run", [](const A& a) { return Cell(a.candidate); }},
    {"method", Type::text, "how it was made: the run's method, else the file it came from", [](const A& a) { return text(a.method); }},
    {"model", Type::text, "the model that wrote it, as its server calls it", [](const A& a) { return a.call ? text(a.call->model) : Cell(); }},
    {"round", Type::integer, "of the method, from 0", [](const A& a) { return integer(a.round); }},
    {"slot", Type::integer, "of the round", [](const A& a) { return integer(a.slot); }},
    {"step", Type::integer, "repairs before it in its round", [](const A& a) { return integer(a.step); }},
    {"code", Type::text, "the program", [](const A& a) { return Cell(a.code); }},
    {"verdict", Type::text, "by kbx (docs/verdicts.md)", [](const A& a) { return text(to_text(a.out.verdict)); }},
    {"paper_verdict", Type::text, "by the published rules", [](const A& a) { return text(to_text(a.out.paper)); }},
    {"call_ok", Type::boolean, "compiles, is imported, returns", [](const A& a) { return Cell(a.out.call_ok); }},
    {"exe_ok", Type::boolean, "right on standard and outlier inputs", [](const A& a) { return Cell(a.out.exe_ok); }},
    {"paper_call_ok", Type::boolean, "the same by the published rules", [](const A& a) { return Cell(a.out.paper_call_ok); }},
    {"paper_exe_ok", Type::boolean, "the same by the published rules", [](const A& a) { return Cell(a.out.paper_exe_ok); }},
    {"error", Type::text, "why it is not right: kbx's explanation, then the traceback", [](const A& a) { return text(a.out.error); }},
    {"error_type", Type::text, "the exception's class", [](const A& a) { return text(a.out.error_type); }},
    {"rules", Type::text, "findings, \"; \" between", [](const A& a) { return text(a.out.rules); }},
    {"flags", Type::text, "what else is to be known, \"; \" between", [](const A& a) { return text(a.out.flags); }},
    {"resources", Type::text, "JSON: registers, spills, shared memory of each kernel and architecture", [](const A& a) { return text(a.out.resources); }},
    {"launches", Type::integer, "kernel launches over all cases", [](const A& a) { return Cell(a.out.launches); }},
    {"gpu", Type::text, "the card that timed it; null: not timed", [](const A& a) { return text(a.out.gpu); }},
    {"speedup", Type::real, "over torch eager, geometric mean over sizes", [](const A& a) { return real(a.out.speedup); }},
    {"speedup_low", Type::real, "lower end of its 95 % interval", [](const A& a) { return real(a.out.low); }},
    {"speedup_high", Type::real, "upper end", [](const A& a) { return real(a.out.high); }},
    {"time_us", Type::real, "device time, sum over sizes", [](const A& a) { return real(a.out.time_us); }},
    {"reference_us", Type::real, "eager's, sum over sizes", [](const A& a) { return real(a.out.reference_us); }},
    {"iou", Type::real, "share of the card's bandwidth", [](const A& a) { return real(a.out.iou); }},
    {"mfu", Type::real, "share of the card's peak", [](const A& a) { return real(a.out.mfu); }},
    {"strategy", Type::text, "the method's memory: what it meant to do", [](const A& a) { return a.memory ? text(a.memory->strategy) : Cell(); }},
    {"reflection", Type::text, "the method's memory: what the model said of the result", [](const A& a) { return a.memory ? text(a.memory->reflection) : Cell(); }},
    {"judge_score", Type::real, "the model's own score of its kernel", [](const A& a) { return a.memory ? real(a.memory->judge_score) : Cell(); }},
    {"reasoning", Type::text, "what the model thought before its reply", [](const A& a) { return a.call ? text(a.call->reasoning) : Cell(); }},
    {"tokens_in", Type::integer, "of the call that wrote it", [](const A& a) { return count(a, &Usage::in); }},
    {"tokens_out", Type::integer, "of the call that wrote it, reasoning included", [](const A& a) { return count(a, &Usage::out); }},
    {"tokens_reasoning", Type::integer, "of them", [](const A& a) { return count(a, &Usage::reasoning); }},
    {"usd", Type::real, "price of the call", [](const A& a) { return a.call ? real(a.call->usd) : Cell(); }},
    {"call_seconds", Type::real, "the call's time", [](const A& a) { return a.call ? Cell(a.call->seconds) : Cell(); }},
    {"normal_hash", Type::text, "SHA-256 of the program's normal form: equal for programs that differ in form alone", [](const A& a) { return Cell(a.normal); }}};

void add_side(std::vector<Column>& out, const std::string& prefix) {
  for (const Field<A>& f : kSide) out.push_back({prefix + f.name, f.type, f.meaning});
}
void add_side(Row& out, const Attempt& a) {
  for (const Field<A>& f : kSide) out.push_back(f.value(a));
}

constexpr const char* kPromptSource = "call: what the model was asked; task: kbx's own prompt of the task, the model may have seen another";

void add_head(std::vector<Column>& out) {
  out.push_back({"id", Type::text, "equal contents, equal id"});
  out.push_back({"task", Type::text, "the suite's task"});
  out.push_back({"category", Type::text, "the task's category"});
}

std::vector<Column> transition_columns() {
  std::vector<Column> out;
  add_head(out);
  for (Column c : {Column{"kind", Type::text, "error_to_fix, error_to_call, slow_to_fast, regression, call_to_error, fast_to_slow"},
                   Column{"relation", Type::text, "rounds: the second was asked for with the first in view; samples: independent, in input order"},
                   Column{"judge", Type::text, "whose verdicts decide the kind: kbx or paper"}, Column{"run", Type::text, "the run's name"},
                   Column{"prompt", Type::text, "of the second attempt"}, Column{"prompt_source", Type::text, kPromptSource},
                   Column{"reply", Type::text, "the text that the second program was taken from"}, Column{"diff", Type::text, "unified, from the first program to the second"},
                   Column{"lines_added", Type::integer, "by the diff"}, Column{"lines_removed", Type::integer, "by the diff"},
                   Column{"similarity", Type::real, "2 * common lines / all lines"}})
    out.push_back(std::move(c));
  add_side(out, "before_");
  add_side(out, "after_");
  out.push_back({"device", Type::text, "on which the second was judged"});
  out.push_back({"engine", Type::text, "kbx's version"});
  out.push_back({"task_version", Type::text, "SHA-256 of the task"});
  return out;
}

std::vector<Column> sft_columns() {
  std::vector<Column> out;
  add_head(out);
  for (Column c : {Column{"prompt", Type::text, "the question"}, Column{"prompt_source", Type::text, kPromptSource},
                   Column{"completion", Type::text, "the model's reply where its call is known, else the program in a fence"}, Column{"code", Type::text, "the program"},
                   Column{"run", Type::text, "the run's name"}, Column{"candidate", Type::text, "its id in the run"}, Column{"method", Type::text, "how it was made"},
                   Column{"model", Type::text, "the model that wrote it"}, Column{"gpu", Type::text, "the card that timed it"}, Column{"speedup", Type::real, "over torch eager"},
                   Column{"flags", Type::text, "what else is to be known"}, Column{"normal_hash", Type::text, "of the program"}})
    out.push_back(std::move(c));
  return out;
}

std::vector<Column> preference_columns() {
  std::vector<Column> out;
  add_head(out);
  for (Column c : {Column{"prompt", Type::text, "kbx's prompt of the task"}, Column{"chosen", Type::text, "the better program in a fence"}, Column{"rejected", Type::text, "the worse one"},
                   Column{"reason", Type::text, "correct: right over wrong; faster: both right, the whole interval above"}, Column{"chosen_candidate", Type::text, "its id in its run"},
                   Column{"rejected_candidate", Type::text, "its id in its run"}, Column{"chosen_method", Type::text, "how it was made"}, Column{"rejected_method", Type::text, "how it was made"},
                   Column{"rejected_verdict", Type::text, "by the deciding judge"}, Column{"rejected_error", Type::text, "why it is not right"}, Column{"chosen_speedup", Type::real, "over torch eager"},
                   Column{"rejected_speedup", Type::real, "over torch eager"}})
    out.push_back(std::move(c));
  return out;
}

std::vector<Column> candidate_columns() {
  std::vector<Column> out;
  add_head(out);
  out.push_back({"run", Type::text, "the run's name"});
  out.push_back({"sample", Type::integer, "number among the task's candidates of one source"});
  out.push_back({"copies", Type::integer, "how many candidates of the task are this program"});
  out.push_back({"prompt", Type::text, "the question"});
  out.push_back({"prompt_source", Type::text, kPromptSource});
  out.push_back({"reply", Type::text, "the text that the program was taken from"});
  add_side(out, "");
  out.push_back({"device", Type::text, "on which it was judged"});
  out.push_back({"engine", Type::text, "kbx's version"});
  out.push_back({"task_version", Type::text, "SHA-256 of the task"});
  return out;
}

// Each row's id is a hash of what tells it from others.
Row head(const Attempt& a, const FieldHash& id) { return {id.hex().substr(0, 32), a.task, a.category}; }

void add(Row& row, std::initializer_list<Cell> cells) { row.insert(row.end(), cells); }

}  // namespace

std::string_view to_text(TableName table) { return kTables[size_t(table)]; }
std::string_view meaning(TableName table) { return kMeanings[size_t(table)]; }

const std::vector<Column>& columns(TableName table) {
  static const std::array<std::vector<Column>, kTableCount> all = {transition_columns(), sft_columns(), preference_columns(), candidate_columns()};
  return all[size_t(table)];
}

std::string fenced(const std::string& code) {
  std::string fence = "```";
  while (code.find(fence) != code.npos) fence += '`';
  return fence + "python\n" + code + (code.empty() || code.back() != '\n' ? "\n" : "") + fence;
}

Row transition_row(const Attempt& before, const Attempt& after, const Transition& t, const Diff& diff, const Asked& asked, const std::string& run, Judge judge) {
  Row row = head(after, FieldHash().add("transition").add(after.task).add(before.code).add(after.code).add(to_text(t.kind)));
  add(row, {text(to_text(t.kind)), text(to_text(t.relation)), text(to_text(judge)), text(run), text(asked.prompt), text(asked.source), text(asked.reply), text(diff.text), diff.stats.added,
            diff.stats.removed, diff.stats.similarity});
  add_side(row, before);
  add_side(row, after);
  add(row, {text(after.out.device), text(after.engine), text(after.task_version)});
  return row;
}

Row sft_row(const Attempt& a, const Asked& asked, const std::string& run) {
  Row row = head(a, FieldHash().add("sft").add(a.task).add(asked.prompt).add(a.code));
  bool known = asked.source == "call" && !asked.reply.empty();
  add(row, {text(asked.prompt), text(asked.source), known ? text(asked.reply) : text(fenced(a.code)), text(a.code), text(run), text(a.candidate), text(a.method), a.call ? text(a.call->model) : Cell(),
            text(a.out.gpu), real(a.out.speedup), text(a.out.flags), text(a.normal)});
  return row;
}

Row candidate_row(const Attempt& a, const Asked& asked, const std::string& run, int64_t copies) {
  Row row = head(a, FieldHash().add("candidate").add(a.task).add(run).add(a.candidate).add(a.code));
  add(row, {text(run), int64_t(a.sample), copies, text(asked.prompt), text(asked.source), text(asked.reply)});
  add_side(row, a);
  add(row, {text(a.out.device), text(a.engine), text(a.task_version)});
  return row;
}

Row preference_row(const Attempt& chosen, const Attempt& rejected, const Preference& p, const std::string& prompt, Judge judge) {
  Row row = head(chosen, FieldHash().add("preference").add(chosen.task).add(chosen.code).add(rejected.code));
  add(row, {text(prompt), text(fenced(chosen.code)), text(fenced(rejected.code)), text(std::string_view(p.faster ? "faster" : "correct")), text(chosen.candidate), text(rejected.candidate),
            text(chosen.method), text(rejected.method), text(to_text(rejected.verdict(judge))), text(rejected.out.error), real(chosen.out.speedup), real(rejected.out.speedup)});
  return row;
}

}  // namespace kbx::dataset
