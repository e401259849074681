// SitePacks: see the header.
#include "report/site_packs.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "report/page.h"
#include "report/page_data.h"

namespace kbx::report {

Result<void> SitePacks::add(const store::Store& store, const Record& r) {
  auto [place, fresh] = places_.try_emplace(r.source_hash, sources_.size());
  if (fresh) sources_.push_back(page_source(store, r));
  details_.push_back(page_detail(r, place->second));
  return details_.size() == kSize ? finish() : Result<void>();
}

// JSON inside a JavaScript text: an object in JavaScript would take "__proto__" for more than a name.
Result<void> SitePacks::finish() {
  if (details_.empty()) return {};
  std::string text = dump_json(Json{{"details", std::exchange(details_, Json::array())}, {"sources", std::exchange(sources_, Json::array())}});
  places_.clear();
  std::error_code ec;
  std::filesystem::create_directories(folder_, ec);
  size_t number = number_++;
  return write_file(folder_ / fmt::format("pack-{}.js", number), fmt::format("kbxPack({},{});\n", number, dump_json(Json(text))));
}

}  // namespace kbx::report
