// Two indexes over the same examples.
#include "agent/corpus.h"

#include "base/hash.h"

namespace kbx::agent {
namespace {

std::vector<std::string> texts(const std::vector<Example>& examples, std::string Example::*part) {
  std::vector<std::string> out;
  for (const Example& e : examples) out.push_back(e.*part);
  return out;
}

}  // namespace

Corpus::Corpus(std::vector<Example> examples)
    : examples_(std::move(examples)), descriptions_(texts(examples_, &Example::description)), codes_(texts(examples_, &Example::code)) {}

std::vector<const Example*> Corpus::top(const Bm25& index, std::string_view query, int k) const {
  std::vector<const Example*> out;
  for (auto [i, score] : index.top(query, size_t(k < 0 ? 0 : k))) out.push_back(&examples_[i]);
  return out;
}
std::vector<const Example*> Corpus::by_description(std::string_view query, int k) const { return top(descriptions_, query, k); }
std::vector<const Example*> Corpus::by_code(std::string_view query, int k) const { return top(codes_, query, k); }

std::string Corpus::hash() const {
  FieldHash hash;
  for (const Example& e : examples_) hash.add(e.name).add(e.description).add(e.code);
  return hash.hex();
}

}  // namespace kbx::agent
