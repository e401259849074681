// Thrift's compact protocol: see the header.
#include "dataset/thrift.h"

namespace kbx::dataset {

void Thrift::varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7) out_ += char(0x80 | (value & 0x7f));
  out_ += char(value);
}

void Thrift::field(int id, int type) {
  if (id == 0) return;
  int step = id - last_.back();
  last_.back() = id;
  if (step > 0 && step < 16) {
    out_ += char(step << 4 | type);
    return;
  }
  out_ += char(type);
  zigzag(id);
}

void Thrift::i32(int id, int32_t value) {
  field(id, kI32);
  zigzag(value);
}

void Thrift::i64(int id, int64_t value) {
  field(id, kI64);
  zigzag(value);
}

void Thrift::text(int id, std::string_view value) {
  field(id, kBinary);
  varint(value.size());
  out_ += value;
}

void Thrift::boolean(int id, bool value) { field(id, value ? 1 : 2); }

void Thrift::list(int id, int element_type, size_t size) {
  field(id, 9);
  if (size < 15) {
    out_ += char(size << 4 | size_t(element_type));
    return;
  }
  out_ += char(0xf0 | element_type);
  varint(size);
}

void Thrift::begin(int id) {
  if (!last_.empty()) field(id, kStruct);
  last_.push_back(0);
}

void Thrift::end() {
  out_ += '\0';
  last_.pop_back();
}

}  // namespace kbx::dataset
