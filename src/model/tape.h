// Tape: the device work of one call of a candidate as data: which memory there was, what was launched on it with which
// arguments, and which host operators ran in between. A tape is a claim by a hostile process. It is sealed by its hash
// before the inputs that it is played on exist, so it scores only if it computes the right thing.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "model/value.h"

namespace kbx {

// One storage. Its bytes before the first entry:
struct TapeBuffer {
  enum class Origin : unsigned char {
    input,     // an argument of the call: `at` is its byte in the arena
    fresh,     // never written; `ones`: a bool storage. The recording had poison or ones there, a replay has neither
    uniform,   // `data`, one element, again and again
    constant,  // `data`: it was there before the call, or came from the host
    unknown    // nobody can say
  };
  Origin origin = Origin::fresh;
  int64_t bytes = 0;
  int64_t at = 0;
  bool ones = false;
  Bytes data;
};

// A strided view of a buffer, as of Tensor (elements).
struct TapeView {
  int32_t buffer = 0;
  Dtype dtype = Dtype::f32;
  int64_t offset = 0;
  std::vector<int64_t> shape, stride;
};

// One argument of a kernel: an address inside a buffer, or 8 bytes as ir/c_api.h wants them.
struct TapeArgument {
  int32_t buffer = -1;   // -1: a scalar
  int64_t offset = 0;    // bytes; any, since a kernel may be given an address outside
  uint32_t width = 4;    // bytes of one element behind the pointer
  uint64_t bits = 0;     // scalar
};

struct TapeLaunch {
  int32_t image = 0;     // index into Tape::images
  std::array<int64_t, 3> grid{1, 1, 1};
  std::vector<TapeArgument> arguments;
  std::vector<int32_t> writes;  // buffers whose bytes it changed
};
struct TapeCopy {  // with a cast where the dtypes differ; strides of 0 broadcast
  TapeView to, from;
};
struct TapeFill {
  TapeView to;
  Bytes element;
};
struct TapeData {  // bytes that an operator without tensor inputs wrote (torch.rand_(), ...): the whole buffer
  int32_t buffer = 0;
  Bytes data;
};
struct TapeOperator {  // a host operator that a replay has not
  std::string name;
  std::vector<int32_t> reads, writes;
};
struct TapeHostRead {  // the host looked at device memory: what follows may depend on values
  int32_t buffer = 0;
};
using TapeEntry = std::variant<TapeLaunch, TapeCopy, TapeFill, TapeData, TapeOperator, TapeHostRead>;

struct Tape {
  std::vector<TapeBuffer> buffers;
  std::vector<std::string> images;   // SHA-256 of each kernel's text
  std::vector<TapeEntry> entries;
  std::vector<TapeView> outputs;     // tensors of the result, in the order of tensors_of()
  std::string trouble;               // why the recorder gave up; "" = it did not

  size_t launches() const;
};

// Whether every element of the view lies inside a buffer of that many bytes; one without elements does.
bool view_fits(const TapeView& view, int64_t buffer_bytes);

}  // namespace kbx
