// Running the region of a reduction, scan or map, and the steps of loops in and outside of one.
#pragma once
#include "ir/context.h"

namespace kbx::ir {

// A loop's counter against its bound; both are of the loop's kind, i32 or i64.
inline bool goes_on(Context& c, const Inst& i) {
  if (i.kind == Kind::i64) return *c.at<int64_t>(i.a) < *c.at<int64_t>(i.b);
  return *c.at<int32_t>(i.a) < *c.at<int32_t>(i.b);
}
// The counter and its step; it wraps like the hardware.
inline void advance(Context& c, const Inst& i) {
  if (i.kind == Kind::i64) *c.at<uint64_t>(i.out) += *c.at<uint64_t>(i.a);
  else *c.at<uint32_t>(i.out) += *c.at<uint32_t>(i.a);
}

// One step of the region on the first `lanes` lanes of left and right, into result.
void run_body(Context& c, const Combine& x, uint32_t lanes);

// tt.map_elementwise: x elements of each operand a call.
void map_elements(Context& c, const Inst& i);

}  // namespace kbx::ir
