// Corpus: worked examples that a prompt may show one of, found by BM25 over their descriptions or their code.
#pragma once
#include <string>
#include <vector>

#include "agent/bm25.h"

namespace kbx::agent {

struct Example {
  std::string name, description, code;
};

class Corpus {
 public:
  Corpus() = default;
  explicit Corpus(std::vector<Example> examples);
  // The k best, best first; examples that share no word with the query are not among them.
  std::vector<const Example*> by_description(std::string_view query, int k) const;
  std::vector<const Example*> by_code(std::string_view query, int k) const;
  const std::vector<Example>& examples() const { return examples_; }
  std::string hash() const;  // of all of them

 private:
  std::vector<const Example*> top(const Bm25& index, std::string_view query, int k) const;

  std::vector<Example> examples_;
  Bm25 descriptions_, codes_;
};

}  // namespace kbx::agent
