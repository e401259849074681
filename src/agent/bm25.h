// Bm25: ranks texts by a query (Okapi BM25: Robertson, Walker, Jones, Hancock-Beaulieu, Gatford, "Okapi at TREC-3", 1994):
//   score(d) = sum over query words of idf(w) f(w,d) (k1 + 1) / (f(w,d) + k1 (1 - b + b |d| / avg))
//   idf(w) = ln(1 + (N - n(w) + 0.5) / (n(w) + 0.5)): never negative
// with k1 = 1.5, b = 0.75. Words are runs of letters and digits in lower case; name_parts and CamelCase are taken apart
// too. Equal scores keep the order of the texts.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kbx::agent {

std::vector<std::string> words_of(std::string_view text);

class Bm25 {
 public:
  Bm25() = default;
  explicit Bm25(const std::vector<std::string>& texts);
  // (index, score) with score > 0, best first, at most k.
  std::vector<std::pair<size_t, double>> top(std::string_view query, size_t k) const;

 private:
  std::map<std::string, std::vector<std::pair<size_t, int>>> postings_;  // word -> (text, count)
  std::vector<double> lengths_;
  double average_ = 0;
};

}  // namespace kbx::agent
