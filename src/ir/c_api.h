/* The IR machine for C and for Python's ctypes: compile one kernel's TTIR, run it over a grid on host memory.
 *
 * Plain structs, explicit widths, little endian, 8-byte natural alignment; no padding bytes are left implicit.
 * Every function is thread safe as long as one handle is not freed while it is used. No exception leaves, nothing
 * is printed. The text may be hostile: it is refused or run, it never harms the process. The memory ranges are
 * trusted: they must be mapped for the whole call. Fields are only ever appended; KBX_IR_VERSION counts changes.
 */
#pragma once
#include <stdint.h>

#include "ir/c_report.h"

#if defined(__GNUC__)
#define KBX_IR_API __attribute__((visibility("default")))
#else
#define KBX_IR_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define KBX_IR_VERSION 2u

typedef struct KbxIrProgram KbxIrProgram; /* opaque handle: one compiled kernel, immutable, reusable by any launch */

/* What an argument is; kbx_ir_argument_kind. Floats of every width are passed as the bits of a double. */
/* clang-format off */
enum KbxIrArgumentKind {
  KBX_IR_I1 = 0, KBX_IR_I8 = 1, KBX_IR_I16 = 2, KBX_IR_I32 = 3, KBX_IR_I64 = 4, KBX_IR_F32 = 5, KBX_IR_F64 = 6,
  KBX_IR_F16 = 7, KBX_IR_BF16 = 8, KBX_IR_E4M3 = 9, KBX_IR_E5M2 = 10, KBX_IR_POINTER = 11, KBX_IR_OTHER = 12
};
/* clang-format on */

/* KbxIrLaunch.flags */
enum KbxIrFlags {
  KBX_IR_CHECK_UNDEFINED = 1,  /* follow values that were never written or were masked off */
  KBX_IR_CHECK_RACES = 2,      /* two programs, one cell, at least one plain store; double stores of one block */
  KBX_IR_COUNT_UNIQUE = 4,     /* fill unique_load_bytes and unique_store_bytes (the other counts are always there) */
  KBX_IR_CHECK_ASSERTS = 8,    /* tl.device_assert: off as on a GPU without debug */
  KBX_IR_CHECK_ALIGNMENT = 16, /* arguments, pointers and integers, against the tt.divisibility compiled for */
  KBX_IR_OTHER_ACCUMULATION = 65536 /* no check: reductions, scans, dots and atomics of a block in another order; what
                                       differs between two launches is the noise of the order */
};

enum KbxIrOrder { KBX_IR_FORWARD = 0, KBX_IR_REVERSE = 1, KBX_IR_SHUFFLED = 2 /* by order_seed */ };

/* KbxIrFinding.kind; kbx_ir_finding_text gives the words in the comments. */
enum KbxIrFindingKind {
  KBX_IR_OOB_LOAD = 0,            /* "out_of_bounds_load" */
  KBX_IR_OOB_STORE = 1,           /* "out_of_bounds_store" */
  KBX_IR_OOB_ATOMIC = 2,          /* "out_of_bounds_atomic" */
  KBX_IR_MISALIGNED = 3,          /* "misaligned_access": a fault on a GPU */
  KBX_IR_UNDEFINED_STORE = 4,     /* "undefined_store": a value nobody defined reached memory */
  KBX_IR_UNDEFINED_MASK = 5,      /* "undefined_mask" */
  KBX_IR_UNDEFINED_ADDRESS = 6,   /* "undefined_address" */
  KBX_IR_UNDEFINED_BRANCH = 7,    /* "undefined_branch" */
  KBX_IR_UNDEFINED_ATOMIC = 8,    /* "undefined_atomic": the target cell was never written */
  KBX_IR_DOUBLE_STORE = 9,        /* "double_store": one block stores different values to one cell */
  KBX_IR_RACE_STORE_STORE = 10,   /* "race_store_store" */
  KBX_IR_RACE_STORE_LOAD = 11,    /* "race_store_load" */
  KBX_IR_RACE_ATOMIC_STORE = 12,  /* "race_atomic_store" */
  KBX_IR_RACE_ATOMIC_LOAD = 13,   /* "race_atomic_load" */
  KBX_IR_ASSERT = 14,             /* "device_assert" */
  KBX_IR_GATHER_INDEX = 15,       /* "gather_index" */
  KBX_IR_FALSE_DIVISIBILITY = 16, /* "false_divisibility": an argument is no multiple of what the kernel assumes */
  KBX_IR_TIME_LIMIT = 17,         /* "time_limit" */
  KBX_IR_STEP_LIMIT = 18          /* "step_limit" */
};

/* One storage that the launch may touch (a tensor's whole storage, not the view). 40 bytes. */
typedef struct KbxIrRange {
  uint64_t base;      /* address of the first byte */
  uint64_t size;      /* bytes; 0 is allowed */
  uint64_t undefined; /* address of `size` bytes, 1 = this byte was never written; the machine updates it. 0 = none */
  uint32_t granule;  /* bytes of one race cell: the smallest element size among the tensors on this storage (1,2,4,8) */
  int32_t name;      /* the caller's number for it, handed back in findings */
  uint64_t reserved; /* 0 */
} KbxIrRange;

/* One launch. 96 bytes. */
typedef struct KbxIrLaunch {
  uint32_t struct_size; /* sizeof(KbxIrLaunch) */
  uint32_t flags;       /* KbxIrFlags */
  int32_t grid[3];     /* programs along x, y, z; each >= 0, product < 2^31; 0 programs is a launch that does nothing */
  int32_t threads;     /* 1..64; 0 = 1 */
  int32_t order;       /* KbxIrOrder: in which order programs are started */
  uint32_t reserved;   /* 0 */
  uint64_t order_seed; /* for KBX_IR_SHUFFLED */
  double time_limit_s; /* wall seconds; <= 0 means 60 */
  uint64_t step_limit; /* instructions one program may execute, 0 = no limit; deterministic, unlike the time limit */
  const uint64_t* arguments; /* argument_count values of 8 bytes: integers sign- or zero-extended, pointers as plain
                                addresses, every float as the bits of a double */
  const int32_t* argument_ranges; /* null, or for each argument the index in `ranges` of the storage it points into;
                                     -1: by address. Needed for empty tensors and views at a storage's end */
  const KbxIrRange* ranges;
  uint32_t argument_count; /* must equal kbx_ir_argument_count */
  uint32_t range_count;    /* <= 4096 */
  uint64_t reserved2;      /* 0 */
} KbxIrLaunch;

KBX_IR_API uint32_t kbx_ir_version(void);

/* Null on refusal; `error` (error_size bytes, may be 0) then holds one line:
 * "not_judged: tt.elementwise_inline_asm: inline assembly" - the machine has no such operation; the candidate is not
 * judged; "malformed: line 12: expected a type"                    - not the generic form of TTIR. */
KBX_IR_API KbxIrProgram* kbx_ir_compile(const char* text, uint64_t length, char* error, uint64_t error_size);
KBX_IR_API void kbx_ir_free(KbxIrProgram* program); /* null is fine */
KBX_IR_API int32_t kbx_ir_argument_count(const KbxIrProgram* program);
KBX_IR_API int32_t kbx_ir_argument_kind(const KbxIrProgram* program, int32_t index); /* -1 = no such argument */
KBX_IR_API int64_t kbx_ir_argument_divisibility(const KbxIrProgram* program,
                                                int32_t index); /* tt.divisibility, 1 = none */
/* 0 = ran (look at completed and findings); -1 = the launch itself is wrong, see report->error. */
KBX_IR_API int32_t kbx_ir_launch(const KbxIrProgram* program, const KbxIrLaunch* launch, KbxIrReport* report);
KBX_IR_API const char* kbx_ir_finding_text(int32_t kind); /* "" = no such kind */
KBX_IR_API uint64_t kbx_ir_sizeof(int32_t which); /* 0 range, 1 launch, 2 finding, 3 report, 4 line counts, 5 range
                                                     counts: for a binding's self-test */

#ifdef __cplusplus
}
#endif
