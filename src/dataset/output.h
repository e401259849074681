// Output: the files of one data set. A file appears with its first row, so no part is empty.
#pragma once
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "dataset/parquet.h"
#include "dataset/rows.h"
#include "dataset/split.h"

namespace kbx::dataset {

class Output {
 public:
  Output(std::filesystem::path folder, bool jsonl, bool parquet) : folder_(std::move(folder)), jsonl_(jsonl), parquet_(parquet) {}
  Result<void> add(TableName table, Part part, const Row& row);
  Result<void> close();

  static std::filesystem::path parquet_file(TableName table, Part part);  // relative
  static std::filesystem::path jsonl_file(TableName table, Part part);

 private:
  struct Files {
    std::optional<ParquetWriter> parquet;
    std::ofstream jsonl;
  };
  Result<void> open(Files& files, TableName table, Part part);
  std::filesystem::path folder_;
  bool jsonl_, parquet_;
  std::map<std::pair<TableName, Part>, Files> files_;
};

// An empty neighbour FOLDER.part to write to; refuses a folder that holds something.
Result<std::filesystem::path> begin_folder(const std::filesystem::path& folder);
// Gives it its name.
Result<void> finish_folder(const std::filesystem::path& part, const std::filesystem::path& folder);

}  // namespace kbx::dataset
