// Cases: how adapter files switch over the driver's functions. Not for other files.
#pragma once

// One function; `p` is its parameters.
#define KBX_CALL(name)                  \
  case CUPTI_DRIVER_TRACE_CBID_##name: { \
    auto& p = *static_cast<const name##_params*>(call.parameters); (void)p;
// A function and its twin for the thread's own stream, which has the same parameters; sets `implicit`.
#define KBX_BOTH(name, twin)                    \
  case CUPTI_DRIVER_TRACE_CBID_##name##twin:     \
    implicit = kThreadStream;                    \
    [[fallthrough]];                             \
  KBX_CALL(name)
#define KBX_END \
  return true;  \
  }

namespace kbx::probe {
// What a null stream stands for.
inline const void* named(const void* stream, const void* implicit) { return stream ? stream : implicit; }
}  // namespace kbx::probe
