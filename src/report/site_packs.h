// SitePacks: the details of candidates in script files, a hundred in each: a page opened from a disk can read no other kind.
#pragma once
#include <filesystem>
#include <string>
#include <unordered_map>

#include "base/json.h"
#include "model/record.h"
#include "store/store.h"

namespace kbx::report {

class SitePacks {
 public:
  static constexpr size_t kSize = 100;
  explicit SitePacks(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // In the order of the page's rows.
  Result<void> add(const store::Store& store, const Record& record);
  Result<void> finish();
  int64_t files() const { return int64_t(number_); }

 private:
  std::filesystem::path folder_;
  size_t number_ = 0;
  Json details_ = Json::array(), sources_ = Json::array();
  std::unordered_map<std::string, size_t> places_;  // source's hash -> in sources_
};

}  // namespace kbx::report
