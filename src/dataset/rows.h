// Rows of the four tables of a data set, and their columns with what each means.
//   transitions  what a change of code did: error to fix, slow to fast, regression
//   sft          a task's prompt and a right answer to it
//   preference   a task's prompt, a better and a worse answer
//   candidates   every distinct program with what the judge said
#pragma once
#include <string>
#include <vector>

#include "dataset/attempt.h"
#include "dataset/diff.h"
#include "dataset/table.h"
#include "dataset/transition.h"

namespace kbx::dataset {

enum class TableName : unsigned char { transitions, sft, preference, candidates };
inline constexpr size_t kTableCount = 4;
std::string_view to_text(TableName table);
std::string_view meaning(TableName table);
const std::vector<Column>& columns(TableName table);

// What rows need beside the attempts.
struct Asked {
  std::string prompt, source;  // source: "call" (what the model was asked), "task" (kbx's prompt of the task), "" = there is none
  std::string reply;           // the text that the code was taken from
};

Row transition_row(const Attempt& before, const Attempt& after, const Transition& t, const Diff& diff, const Asked& asked, const std::string& run, Judge judge);
Row sft_row(const Attempt& a, const Asked& asked, const std::string& run);
Row candidate_row(const Attempt& a, const Asked& asked, const std::string& run, int64_t copies);

struct Preference {
  size_t chosen = 0, rejected = 0;  // places in the attempts
  bool faster = false;              // both right, the chosen one's interval above; else right over wrong
};
Row preference_row(const Attempt& chosen, const Attempt& rejected, const Preference& p, const std::string& prompt, Judge judge);

// A task's distinct right programs against its distinct wrong ones, each used at least once and no pair twice; then each
// timed right program against the next slower one whose interval lies below.
std::vector<Preference> find_preferences(const std::vector<Attempt>& attempts, const std::vector<size_t>& distinct, Judge judge);

// Code as a model would write it into a chat.
std::string fenced(const std::string& code);

}  // namespace kbx::dataset
