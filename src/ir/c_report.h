/* What a launch reports, for C and for Python's ctypes (ir/c_api.h): findings and counts. */
#pragma once
#include <stdint.h>

#define KBX_IR_MAX_FINDINGS 64
#define KBX_IR_MAX_LINES 32
#define KBX_IR_COUNTED_RANGES 64

#ifdef __cplusplus
extern "C" {
#endif

/* One finding; equal ones (kind, line, range) are counted, not repeated. 368 bytes. */
typedef struct KbxIrFinding {
  int32_t kind;       /* KbxIrFindingKind */
  int32_t range;      /* index in `ranges`; -1 = no known storage */
  int32_t name;       /* that range's `name`; -1 = none. For false_divisibility: the argument's index */
  int32_t program[3]; /* x, y, z of the first program that did it; for a race one of the two */
  int32_t other[3];   /* the second program of a race; -1 -1 -1 otherwise or when there were many */
  uint32_t line;      /* of `where`; 0 = unknown */
  uint64_t count;     /* lanes (cells for a race) */
  int64_t distance;   /* out of bounds: bytes past the end (positive) or before the start (negative) of the storage */
  int64_t offset;     /* byte offset from the range's base; -1 = unknown */
  int64_t element;    /* index of the lane within the operation's block, row major; -1 = unknown or scalar */
  char where[112];    /* "file.py:12": the candidate's line, "" = unknown; for a race the store (or atomic) */
  char other_where[112]; /* for a race the other access, "" = unknown */
  char operation[48];    /* "tt.load" */
  int32_t argument;      /* index of the kernel's argument that points into the range; -1 = unknown */
  uint32_t width;        /* bytes of one element; 0 = the finding is about no element */
  int64_t index;         /* element counted from that argument's address: may lie outside the tensor; see `argument` */
  uint32_t other_line;   /* of `other_where`; 0 = unknown */
  uint32_t reserved;     /* 0 */
} KbxIrFinding;

/* What one line of the source did. 160 bytes. */
typedef struct KbxIrLineCounts {
  char where[112]; /* "file.py:12", "" = unknown */
  uint32_t line;   /* 0 = unknown */
  uint32_t reserved;
  uint64_t load_bytes, store_bytes, atomic_bytes, flops, instructions;
} KbxIrLineCounts;

/* What one range saw. 40 bytes. */
typedef struct KbxIrRangeCounts {
  uint64_t load_bytes, store_bytes, atomic_bytes, unique_load_bytes, unique_store_bytes;
} KbxIrRangeCounts;

/* What a launch did. 31800 bytes. */
typedef struct KbxIrReport {
  uint64_t load_bytes, store_bytes, atomic_bytes; /* active lanes only */
  uint64_t unique_load_bytes, unique_store_bytes; /* whole cells; 0 without KBX_IR_COUNT_UNIQUE */
  uint64_t flops;                                 /* executed lanes, masked ones included; a dot counts 2MNK */
  uint64_t instructions;                          /* machine instructions over all programs */
  double seconds;
  int32_t completed;         /* 1 = every program ran to its end; 0 = stopped at a limit */
  int32_t finding_count;     /* <= KBX_IR_MAX_FINDINGS */
  uint64_t dropped_findings; /* distinct findings beyond the table */
  char error[256];           /* why kbx_ir_launch returned non-zero */
  KbxIrFinding findings[KBX_IR_MAX_FINDINGS];
  uint64_t flops_by[2][14]; /* [0 = ordinary, 1 = dot][KbxIrArgumentKind of the operands; 13 = tf32]; sum = flops */
  int32_t line_count;       /* <= KBX_IR_MAX_LINES */
  int32_t counted_ranges;   /* min(range_count, KBX_IR_COUNTED_RANGES) */
  KbxIrLineCounts lines[KBX_IR_MAX_LINES]; /* the most bytes + flops first */
  KbxIrRangeCounts ranges[KBX_IR_COUNTED_RANGES];
} KbxIrReport;

#ifdef __cplusplus
}
#endif
