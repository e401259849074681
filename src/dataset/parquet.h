// ParquetWriter: tables as Apache Parquet (format version 1: PLAIN values, RLE definition levels, no compression), after
// the specification of apache/parquet-format. A writer of our own, because Debian 12 has no Arrow and kbx must not ask
// for a python with pyarrow to write its own data; it is the small part of the format that flat tables need, and tests
// read it with pyarrow and with Hugging Face's datasets.
#pragma once
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "dataset/table.h"

namespace kbx::dataset {

class ParquetWriter {
 public:
  // Writes PATH.part; close() gives it its name. Memory holds one row group (about 64 MB).
  static Result<ParquetWriter> open(const std::filesystem::path& path, std::vector<Column> columns);
  ParquetWriter(ParquetWriter&&) noexcept;
  ~ParquetWriter();  // without close(): the .part goes

  Result<void> add(const Row& row);
  Result<void> close();

 private:
  struct State;
  explicit ParquetWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace kbx::dataset
