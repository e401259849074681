// Words, postings, scores.
#include "agent/bm25.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace kbx::agent {
namespace {

constexpr double kK1 = 1.5, kB = 0.75;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "SoftmaxBackward" -> softmax, backward; "x2" stays whole.
void add_word(std::vector<std::string>& out, std::string_view word) {
  std::string part;
  for (size_t i = 0; i < word.size(); i++) {
    if (is_upper(word[i]) && i > 0 && is_lower(word[i - 1])) out.push_back(std::move(part)), part.clear();
    part += is_upper(word[i]) ? char(word[i] - 'A' + 'a') : word[i];
  }
  if (!part.empty()) out.push_back(std::move(part));
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && (is_lower(text[end]) || is_upper(text[end]) || is_digit(text[end]))) end++;
    if (end > at) add_word(out, text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return out;
}

Bm25::Bm25(const std::vector<std::string>& texts) {
  double all = 0;
  for (size_t i = 0; i < texts.size(); i++) {
    auto words = words_of(texts[i]);
    lengths_.push_back(double(words.size()));
    all += double(words.size());
    for (const std::string& word : words) {
      auto& list = postings_[word];
      if (list.empty() || list.back().first != i) list.emplace_back(i, 0);
      list.back().second++;
    }
  }
  if (!texts.empty()) average_ = all / double(texts.size());
}

std::vector<std::pair<size_t, double>> Bm25::top(std::string_view query, size_t k) const {
  std::vector<double> scores(lengths_.size(), 0);
  auto words = words_of(query);
  // A word that stands twice in the query counts once: code repeats its names.
  for (const std::string& word : std::set<std::string>(words.begin(), words.end())) {
    auto found = postings_.find(word);
    if (found == postings_.end()) continue;
    double n = double(found->second.size()), idf = std::log(1 + (double(lengths_.size()) - n + 0.5) / (n + 0.5));
    for (auto [text, count] : found->second) scores[text] += idf * count * (kK1 + 1) / (count + kK1 * (1 - kB + kB * lengths_[text] / average_));
  }
  std::vector<std::pair<size_t, double>> out;
  for (size_t i = 0; i < scores.size(); i++)
    if (scores[i] > 0) out.emplace_back(i, scores[i]);
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (out.size() > k) out.resize(k);
  return out;
}

}  // namespace kbx::agent
