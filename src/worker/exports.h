// Exports: what python sees of the worker room through ctypes. Plain C; the structs are those of jail.h and wire.h.
#pragma once
#include <cstddef>
#include <cstdint>

#include "worker/jail.h"

#define KBX_WORKER_API extern "C" __attribute__((visibility("default")))

// Fills up to `capacity` numbers in the order of wire.constants() in python/wire.py; returns how many there are.
KBX_WORKER_API size_t kbx_wire_constants(uint64_t* out, size_t capacity);
KBX_WORKER_API uint64_t kbx_jail_sizeof();
// 0 = done. Otherwise errno, and *step is a JailStep for kbx_jail_step_text().
KBX_WORKER_API int32_t kbx_jail_outer(const kbx::worker::JailRequest* request, int32_t* step);
KBX_WORKER_API int32_t kbx_jail_inner(const kbx::worker::JailRequest* request, int32_t* step);
KBX_WORKER_API void kbx_jail_repeat(int32_t pid);
KBX_WORKER_API const char* kbx_jail_step_text(int32_t step);
