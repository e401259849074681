#include "store/job_row.h"

#include "store/sqlite.h"
#include "store/store.h"

namespace kbx::store {
namespace {

// The end of the string that begins at `at` (a quote), behind its closing quote. Most strings are a few bytes long.
size_t string_end(std::string_view t, size_t at) {
  for (size_t k = at + 1; k < t.size(); k++) {
    if (t[k] == '"') return k + 1;
    if (t[k] == '\\') k++;
  }
  return t.size();
}

// What decides where a value ends.
constexpr std::array<bool, 256> kMarks = [] {
  std::array<bool, 256> out{};
  for (unsigned char c : {'"', '{', '}', '[', ']', ','}) out[c] = true;
  return out;
}();

// The end of the value that begins at `at`.
size_t value_end(std::string_view t, size_t at) {
  int depth = 0;
  for (size_t k = at; k < t.size();) {
    char c = t[k];
    if (!kMarks[static_cast<unsigned char>(c)]) {
      k++;
      continue;
    }
    if (c == '"') {
      k = string_end(t, k);
      if (depth == 0) return k;
      continue;
    }
    if (c == '{' || c == '[') depth++;
    else if (c == '}' || c == ']') {
      if (depth == 0) return k;
      if (--depth == 0) return k + 1;
    } else if (c == ',' && depth == 0) return k;
    k++;
  }
  return t.size();
}

}  // namespace

Result<void> Store::each_row(const std::function<bool(const JobRow&)>& visit) const {
  KBX_TRY_ASSIGN(Statement s, Statement::prepare(connection(), "SELECT key, ordinal, candidate, task, category, sample, verdict, paper, call_ok, exe_ok, device, seconds, source_hash, record "
                                                               "FROM result ORDER BY ordinal, key"));
  for (;;) {
    KBX_TRY_ASSIGN(bool row, s.step());
    if (!row) return {};
    auto verdict = verdict_from_text(s.view(6)), paper = verdict_from_text(s.view(7));
    if (!verdict || !paper) return fail(Code::store, "a stored result has no known verdict (written by another version of kbx?)");
    JobRow r{s.view(0), s.view(2), s.view(3), s.view(4), s.view(10), s.view(12), s.integer(1), int(s.integer(5)), *verdict, *paper, s.integer(8) != 0, s.integer(9) != 0, s.real(11), s};
    if (!visit(r)) return {};
  }
}

std::string_view JobRow::record() const { return statement.view(13); }

RecordParts::RecordParts(std::string_view t) {
  members_.reserve(32);
  size_t k = t.empty() || t[0] != '{' ? t.size() : 1;
  while (k < t.size() && t[k] == '"') {
    size_t end = string_end(t, k);
    if (end < k + 2 || end >= t.size() || t[end] != ':') return;
    std::string_view name = t.substr(k + 1, end - k - 2);
    size_t stop = value_end(t, end + 1);
    members_.emplace_back(name, t.substr(end + 1, stop - end - 1));
    k = stop < t.size() && t[stop] == ',' ? stop + 1 : t.size();
  }
}

std::string_view RecordParts::text(std::string_view name) const {
  for (const auto& [key, value] : members_)
    if (key == name) return value;
  return {};
}

Json RecordParts::json(std::string_view name) const {
  auto parsed = parse_json(text(name));
  return parsed ? std::move(*parsed) : Json();
}

std::string RecordParts::string(std::string_view name) const {
  std::string_view t = text(name);
  if (t.size() >= 2 && t.front() == '"' && t.find('\\') == t.npos) return std::string(t.substr(1, t.size() - 2));
  Json j = json(name);
  return j.is_string() ? j.get<std::string>() : std::string();
}

}  // namespace kbx::store
