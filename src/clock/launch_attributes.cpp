#include "clock/launch_attributes.h"

#include <cstddef>
#include <cstring>

namespace kbx::clock {
namespace {

static_assert(sizeof(CUlaunchAttribute) == 72);

// By value: headers of CUDA 12.0 to 13 name them alike, but not all have all.
bool repeatable(unsigned id) {
  switch (id) {
    case 1:   // access policy window
    case 2:   // cooperative
    case 4:   // cluster dimension
    case 5:   // cluster scheduling
    case 6:   // programmatic stream serialization
    case 8:   // priority
    case 9:   // memory synchronisation domain map
    case 10:  // memory synchronisation domain
    case 11:  // preferred cluster dimension
    case 14:  // carveout
      return true;
    default:
      return false;
  }
}

}  // namespace

LaunchAttributes launch_attributes(const DeviceLaunch& launch, bool first) {
  LaunchAttributes out;
  bool cooperative = false;
  for (size_t at = 0; at + sizeof(CUlaunchAttribute) <= launch.attributes.size(); at += sizeof(CUlaunchAttribute)) {
    unsigned id = 0;  // hostile: no value of the enumeration until it is known to be one
    static_assert(offsetof(CUlaunchAttribute, id) == 0 && sizeof(CUlaunchAttributeID) == sizeof id);
    std::memcpy(&id, launch.attributes.data() + at, sizeof id);
    if (first && id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION) continue;
    if (id == 0) continue;  // the empty attribute
    if (!repeatable(id)) {
      out.dropped.push_back(id);
      continue;
    }
    CUlaunchAttribute a;
    std::memcpy(&a, launch.attributes.data() + at, sizeof a);
    cooperative |= id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    out.kept.push_back(a);
  }
  if (launch.cooperative && !cooperative) {
    CUlaunchAttribute a{};
    a.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    a.value.cooperative = 1;
    out.kept.push_back(a);
  }
  return out;
}

}  // namespace kbx::clock
