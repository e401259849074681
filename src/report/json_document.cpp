// The JSON report: see the header.
#include "report/json_document.h"

#include "report/hardware.h"
#include "report/json_lines.h"
#include "store/record_json.h"

namespace kbx::report {
namespace {

Json counts_json(const Counts& c) {
  return {{"candidates", c.candidates},
          {"call", c.call},
          {"exe", c.exe},
          {"paper_call", c.paper_call},
          {"paper_exe", c.paper_exe}};
}
Json group_json(const std::map<std::string, Counts>& group) {
  Json out = Json::object();
  for (const auto& [name, c] : group) out[name] = counts_json(c);
  return out;
}

}  // namespace

Result<void> write_json(const Runs& runs, const Sink& out) {
  KBX_TRY_ASSIGN(Summary summary, runs.summary());
  Json facts = Json::array();
  for (const Runs::Run& run : runs.all()) facts.push_back({{"run", run.label}, {"facts", run.facts}});
  Json head = json_summary(summary, summary.candidate_seconds)["summary"];
  head["by_category"] = group_json(summary.by_category);
  head["by_task"] = group_json(summary.by_task);
  out("{\"version\": " + std::to_string(kJsonDocumentVersion) + ",\n\"runs\": " + dump_json(facts) +
      ",\n\"summary\": " + dump_json(head) + ",\n\"records\": [");
  bool first = true;
  KBX_TRY(runs.each([&](const Runs::Run& run, const Record& record) {
    Json j = {{"run", run.label}};
    j.update(store::to_json(record));
    if (Json hardware = hardware_json(record); !hardware.is_null()) j["hardware"] = std::move(hardware);
    out((first ? "\n" : ",\n") + dump_json(j));
    first = false;
    return true;
  }));
  out("\n]}\n");
  return {};
}

}  // namespace kbx::report
