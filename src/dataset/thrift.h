// Thrift's compact protocol, the part that Parquet's headers and footer need (thrift/doc/specs/thrift-compact-protocol.md).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kbx::dataset {

class Thrift {
 public:
  // Fields are written in ascending order inside begin()/end(). `id` 0: an element of a list.
  void i32(int id, int32_t value);
  void i64(int id, int64_t value);
  void text(int id, std::string_view value);
  void boolean(int id, bool value);
  void list(int id, int element_type, size_t size);
  void begin(int id);  // a struct as a field or an element; also the outermost one, with id 0
  void end();

  static constexpr int kI32 = 5, kI64 = 6, kBinary = 8, kStruct = 12;
  const std::string& bytes() const { return out_; }

 private:
  void field(int id, int type);
  void varint(uint64_t value);
  void zigzag(int64_t value) { varint((uint64_t(value) << 1) ^ uint64_t(value >> 63)); }
  std::string out_;
  std::vector<int> last_;  // the last field's id in each open struct
};

}  // namespace kbx::dataset
