#include "clock/stream_plan.h"

#include <set>

namespace kbx::clock {

StreamPlan plan_streams(const DeviceTape& tape) {
  StreamPlan plan;
  std::set<uint32_t> recorded, used, streams;
  plan.keep.assign(tape.entries.size(), true);
  for (size_t k = 0; k < tape.entries.size(); k++) {
    const DeviceEntry& e = tape.entries[k];
    if (auto r = std::get_if<DeviceRecord>(&e)) recorded.insert(r->event);
    if (auto w = std::get_if<DeviceWait>(&e)) {
      plan.keep[k] = recorded.count(w->event) > 0;
      if (plan.keep[k]) used.insert(w->event);
    }
  }
  for (size_t k = 0; k < tape.entries.size(); k++) {
    if (auto r = std::get_if<DeviceRecord>(&tape.entries[k])) plan.keep[k] = used.count(r->event) > 0;
    if (!plan.keep[k]) continue;
    uint32_t stream = std::visit([](const auto& v) { return v.stream; }, tape.entries[k]);
    if (stream != 0) streams.insert(stream);
  }
  plan.side_streams.assign(streams.begin(), streams.end());
  plan.events.assign(used.begin(), used.end());
  return plan;
}

}  // namespace kbx::clock
