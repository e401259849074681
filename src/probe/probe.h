// Probe: the recorder of one process, with its arena, behind the C functions that torch's allocator and python's ctypes
// call. It shares its address space with the candidate: all that comes out of it is a claim.
//
//   init(...)                       before the first use of CUDA, then torch is given kbx_probe_malloc and
//   kbx_probe_free reset, tensor(inputs), start, [dry run], stop, snapshot, start, [the run], stop, tensor(outputs),
//   write
#pragma once
#include <sys/types.h>
#include <cstddef>
#include <cstdint>

#define KBX_PROBE_API extern "C" __attribute__((visibility("default")))

// Functions that return text: null = done, else one sentence, good until the next call from the same thread.
// `cupti`: paths to try, separated by newlines; may be empty. `base`: of the arena (model/device_tape.h).
KBX_PROBE_API const char* kbx_probe_init(const char* cupti, uint64_t base);
// For torch.cuda.memory.CUDAPluggableAllocator. Without memory: torch's own RuntimeError "CUDA out of memory".
KBX_PROBE_API void* kbx_probe_malloc(ssize_t bytes, int device, void* stream);
KBX_PROBE_API void kbx_probe_free(void* at, ssize_t bytes, int device, void* stream);
// Allocations from now on are the recorder's own (1) or the candidate's (0).
KBX_PROBE_API void kbx_probe_scratch(int on);

KBX_PROBE_API const char* kbx_probe_reset();
// A plain tensor of the call. `dtype` as in model/dtype.h; shape and stride: `dims` numbers each, in elements.
KBX_PROBE_API const char* kbx_probe_tensor(int output, const char* name, const char* dtype, uint64_t storage,
                                           uint64_t storage_bytes, int64_t offset, int dims, const int64_t* shape,
                                           const int64_t* stride);
KBX_PROBE_API const char* kbx_probe_start(const void* current_stream);
KBX_PROBE_API const char* kbx_probe_stop();
KBX_PROBE_API const char* kbx_probe_snapshot();
KBX_PROBE_API const char* kbx_probe_trouble(const char* why);  // of the last run
// The tape's bytes into `to` if they fit; returns how many they are. -1: kbx_probe_error().
KBX_PROBE_API int64_t kbx_probe_write(void* to, uint64_t capacity);
KBX_PROBE_API const char* kbx_probe_error();

// Reads a tape's bytes as the supervisor does: one line about it, starting with "ok" or "refused". Needs no init.
KBX_PROBE_API const char* kbx_probe_check(const void* bytes, uint64_t size);
// arena bytes mapped, images seen, entries of the last tape, microseconds inside callbacks while recording
KBX_PROBE_API void kbx_probe_figures(uint64_t out[4]);
