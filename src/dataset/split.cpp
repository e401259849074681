// Splits: see the header.
#include "dataset/split.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/hash.h"
#include "base/text.h"

namespace kbx::dataset {
namespace {

// [0, 1): from the first 48 bits of a hash that is the same on every machine.
double unit_hash(const std::string& text) { return double(std::strtoull(sha256_hex("kbx dataset split\n" + text).substr(0, 12).c_str(), nullptr, 16)) / double(uint64_t(1) << 48); }

bool is_precision(std::string_view word) {
  for (std::string_view known : {"fp16", "bf16", "fp32", "fp8", "fp4", "int8", "int4", "tf32", "f16", "f32"})
    if (word == known) return true;
  // w8a8, w4a16
  size_t a = word.find('a', 1);
  auto digits = [](std::string_view t) { return !t.empty() && std::all_of(t.begin(), t.end(), [](char c) { return c >= '0' && c <= '9'; }); };
  return word.size() > 3 && word[0] == 'w' && a != word.npos && digits(word.substr(1, a - 1)) && digits(word.substr(a + 1));
}

}  // namespace

std::string_view to_text(Part part) { return part == Part::train ? "train" : part == Part::validation ? "validation" : "test"; }

Result<Shares> parse_shares(const std::string& text) {
  if (text == "none") return Shares{1, 0, 0};
  auto words = split(text, ',');
  Shares out{};
  double sum = 0;
  bool good = words.size() == kPartCount;
  for (size_t k = 0; good && k < kPartCount; k++) {
    char* end = nullptr;
    out[k] = std::strtod(words[k].c_str(), &end);
    good = !words[k].empty() && *end == '\0' && out[k] >= 0 && out[k] <= 1e6;
    sum += out[k];
  }
  if (!good || !(out[0] > 0)) return fail(Code::usage, "--split takes three shares as in 80,10,10 (train, validation, test; train above 0) or none, not " + text);
  for (double& share : out) share /= sum;
  return out;
}

std::string family(std::string_view task) {
  while (true) {
    size_t bar = task.rfind('_');
    if (bar == task.npos || bar == 0 || !is_precision(task.substr(bar + 1))) return std::string(task);
    task = task.substr(0, bar);
  }
}

Splits::Splits(const std::vector<TaskName>& tasks, const Shares& shares) {
  until_ = {shares[0], shares[0] + shares[1], 1};
  std::map<std::string, std::string> category_of;  // family -> category
  std::vector<TaskName> sorted = tasks;
  std::sort(sorted.begin(), sorted.end(), [](const TaskName& a, const TaskName& b) { return a.name < b.name; });
  for (const TaskName& t : sorted) category_of.emplace(family(t.name), t.category);
  std::map<std::string, std::vector<std::pair<double, std::string>>> by_category;
  for (const auto& [name, category] : category_of) by_category[category].push_back({unit_hash(name), name});
  for (auto& [category, families] : by_category) {
    std::sort(families.begin(), families.end());
    double start = unit_hash("category " + category);
    for (size_t k = 0; k < families.size(); k++) parts_[families[k].second] = at((double(k) + start) / double(families.size()));
  }
}

Part Splits::at(double place) const { return place < until_[0] ? Part::train : place < until_[1] ? Part::validation : Part::test; }

Part Splits::part_of(std::string_view task) const {
  std::string name = family(task);
  auto known = parts_.find(name);
  return known == parts_.end() ? at(unit_hash(name)) : known->second;
}

}  // namespace kbx::dataset
