// Line diffs: see the header.
#include "dataset/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace kbx::dataset {
namespace {

constexpr size_t kContext = 3;
constexpr long kMostEdits = 2000;

using Lines = std::vector<std::string_view>;

// Lines with their line ends: a text without one at its end differs there.
Lines lines_of(std::string_view text) {
  Lines out;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    end = end == text.npos ? text.size() : end + 1;
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

struct Step {
  size_t a, b;
  bool removes;
};

// Single steps from last to first; nullopt-like empty `found` when there are too many.
struct Path {
  bool found = false;
  std::vector<Step> steps;
};

Path shortest(const Lines& a, const Lines& b, size_t from, size_t a_end, size_t b_end) {
  long n = long(a_end - from), m = long(b_end - from), most = std::min(n + m, kMostEdits);
  std::vector<int> front(size_t(2 * most) + 3, 0);  // furthest x on each diagonal
  std::vector<std::vector<int>> trail;
  auto at = [&](std::vector<int>& v, long k) -> int& { return v[size_t(k + most + 1)]; };
  for (long d = 0; d <= most; d++) {
    trail.emplace_back(front.begin() + (most + 1 - d - 1), front.begin() + (most + 1 + d + 2));  // diagonals -d-1 .. d+1
    for (long k = -d; k <= d; k += 2) {
      bool down = k == -d || (k != d && at(front, k - 1) < at(front, k + 1));
      long x = down ? at(front, k + 1) : at(front, k - 1) + 1, y = x - k;
      while (x < n && y < m && a[from + size_t(x)] == b[from + size_t(y)]) x++, y++;
      at(front, k) = int(x);
      if (x < n || y < m) continue;
      Path path{true, {}};
      for (long e = d; e > 0; e--) {
        const std::vector<int>& old = trail[size_t(e)];
        auto was = [&](long j) -> long { return old[size_t(j + e + 1)]; };
        long diagonal = x - y;
        bool inserted = diagonal == -e || (diagonal != e && was(diagonal - 1) < was(diagonal + 1));
        long px = inserted ? was(diagonal + 1) : was(diagonal - 1), py = px - (inserted ? diagonal + 1 : diagonal - 1);
        path.steps.push_back({from + size_t(px), from + size_t(py), !inserted});
        x = px;
        y = py;
      }
      return path;
    }
  }
  return {};
}

std::string range(size_t first, size_t count) { return count == 1 ? std::to_string(first + 1) : fmt::format("{},{}", count ? first + 1 : first, count); }

void put(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (line.empty() || line.back() != '\n') out += "\n\\ No newline at end of file\n";
}

// Edits whose context would touch are one hunk.
void put_hunk(std::string& out, const Lines& a, const Lines& b, const Edit* first, const Edit* last) {
  size_t before = std::min({kContext, first->a, first->b}), a_from = first->a - before, b_from = first->b - before;
  size_t a_to = std::min(a.size(), last->a + last->a_size + kContext), b_to = std::min(b.size(), last->b + last->b_size + kContext);
  out += fmt::format("@@ -{} +{} @@\n", range(a_from, a_to - a_from), range(b_from, b_to - b_from));
  size_t at = a_from;
  for (const Edit* e = first; e <= last; e++) {
    for (; at < e->a; at++) put(out, ' ', a[at]);
    for (; at < e->a + e->a_size; at++) put(out, '-', a[at]);
    for (size_t k = e->b; k < e->b + e->b_size; k++) put(out, '+', b[k]);
  }
  for (; at < a_to; at++) put(out, ' ', a[at]);
}

}  // namespace

std::vector<Edit> edits(const Lines& a, const Lines& b) {
  size_t from = 0, a_end = a.size(), b_end = b.size();
  while (from < a_end && from < b_end && a[from] == b[from]) from++;
  while (a_end > from && b_end > from && a[a_end - 1] == b[b_end - 1]) a_end--, b_end--;
  if (from == a_end && from == b_end) return {};
  Path path = shortest(a, b, from, a_end, b_end);
  if (!path.found) return {{from, a_end - from, from, b_end - from}};
  std::vector<Edit> out;
  for (auto s = path.steps.rbegin(); s != path.steps.rend(); ++s) {
    if (out.empty() || out.back().a + out.back().a_size != s->a || out.back().b + out.back().b_size != s->b) out.push_back({s->a, 0, s->b, 0});
    (s->removes ? out.back().a_size : out.back().b_size)++;
  }
  return out;
}

Diff unified_diff(std::string_view a_text, std::string_view b_text, std::string_view name_a, std::string_view name_b) {
  Lines a = lines_of(a_text), b = lines_of(b_text);
  std::vector<Edit> all = edits(a, b);
  Diff diff;
  diff.stats = {int64_t(a.size()), int64_t(b.size()), 0, 0, int64_t(all.size()), int64_t(all.size()), 1};
  size_t common_from = 0;
  for (const Edit& e : all) {
    diff.stats.opcodes += e.a > common_from;
    common_from = e.a + e.a_size;
    diff.stats.removed += int64_t(e.a_size);
    diff.stats.added += int64_t(e.b_size);
  }
  diff.stats.opcodes += a.size() > common_from;
  if (!a.empty() || !b.empty()) diff.stats.similarity = 2 * double(diff.stats.lines_before - diff.stats.removed) / double(a.size() + b.size());
  if (all.empty()) return diff;
  diff.text = fmt::format("--- {}\n+++ {}\n", name_a, name_b);
  for (size_t first = 0; first < all.size();) {
    size_t last = first;
    while (last + 1 < all.size() && all[last + 1].a - (all[last].a + all[last].a_size) <= 2 * kContext) last++;
    put_hunk(diff.text, a, b, &all[first], &all[last]);
    first = last + 1;
  }
  return diff;
}

}  // namespace kbx::dataset
