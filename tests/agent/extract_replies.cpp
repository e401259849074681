// extract_replies FILE.jsonl...: the code that each extraction mode takes from every reply, one JSON object a line.
#include <fmt/core.h>

#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "intake/extract.h"

int main(int argc, char** argv) {
  using namespace kbx;
  for (int k = 1; k < argc; k++) {
    auto text = read_file(argv[k]);
    if (!text) return fmt::print(stderr, "{}\n", text.error().text()), 2;
    int number = 0;
    for (const std::string& line : split(*text, '\n')) {
      number++;
      auto row = parse_json(line);
      if (!row) continue;
      intake::Target target{{get_string(*row, "entry").value_or("")}};
      if (target.names[0].empty()) target.names.clear();
      Json out = {{"id", fmt::format("{}:{}", std::string(argv[k]).substr(std::string(argv[k]).rfind('/') + 1), number)}, {"entry", target.names.empty() ? "" : target.names[0]}};
      for (auto mode : {intake::ExtractMode::upstream, intake::ExtractMode::kbx, intake::ExtractMode::repair}) {
        auto got = intake::extract(get_string(*row, "predict").value_or(""), mode, target);
        out[std::string(intake::to_text(mode))] = {{"code", got.code}, {"how", got.how}, {"truncated", got.truncated}, {"repaired", got.repaired}};
      }
      fmt::print("{}\n", dump_json(out));
    }
  }
  return 0;
}
