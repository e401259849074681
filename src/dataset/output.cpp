// Output: see the header.
#include "dataset/output.h"

#include "base/new_folder.h"

namespace kbx::dataset {
namespace fs = std::filesystem;

fs::path Output::parquet_file(TableName table, Part part) { return fs::path("data") / to_text(table) / (std::string(to_text(part)) + ".parquet"); }
fs::path Output::jsonl_file(TableName table, Part part) { return fs::path("jsonl") / to_text(table) / (std::string(to_text(part)) + ".jsonl"); }

Result<void> Output::open(Files& files, TableName table, Part part) {
  for (const fs::path& path : {folder_ / parquet_file(table, part), folder_ / jsonl_file(table, part)}) {
    bool wanted = path.extension() == ".parquet" ? parquet_ : jsonl_;
    if (!wanted) continue;
    std::error_code ec;
    fs::create_directories(path.parent_path(), ec);
    if (ec) return fail(Code::io, "cannot make the folder " + path.parent_path().string() + ": " + ec.message());
    if (path.extension() == ".parquet") {
      KBX_TRY_ASSIGN(auto writer, ParquetWriter::open(path, columns(table)));
      files.parquet.emplace(std::move(writer));
    } else {
      files.jsonl.open(path, std::ios::binary | std::ios::trunc);
      if (!files.jsonl) return fail(Code::io, "cannot write " + path.string());
    }
  }
  return {};
}

Result<void> Output::add(TableName table, Part part, const Row& row) {
  auto [entry, fresh] = files_.try_emplace({table, part});
  Files& files = entry->second;
  if (fresh) KBX_TRY(open(files, table, part));
  if (files.parquet) KBX_TRY(files.parquet->add(row));
  if (files.jsonl.is_open()) files.jsonl << json_line(columns(table), row);
  return {};
}

Result<void> Output::close() {
  for (auto& [key, files] : files_) {
    if (files.parquet) KBX_TRY(files.parquet->close());
    if (!files.jsonl.is_open()) continue;
    files.jsonl.close();
    if (!files.jsonl) return fail(Code::io, "cannot write " + (folder_ / jsonl_file(key.first, key.second)).string() + " (is the disk full?)");
  }
  return {};
}

Result<fs::path> begin_folder(const fs::path& folder) {
  std::error_code ec;
  if (fs::exists(folder, ec) && (!fs::is_directory(folder, ec) || !fs::is_empty(folder, ec)))
    return fail(Code::usage, folder.string() + " already holds something; name another folder with -o, or remove it");
  return make_folder_beside(folder);
}

Result<void> finish_folder(const fs::path& part, const fs::path& folder) {
  std::error_code ec;
  fs::remove(folder, ec);  // an empty one
  fs::path to = folder.has_filename() ? folder : folder.parent_path();
  fs::rename(part, to, ec);
  if (ec) return fail(Code::io, "cannot give " + part.string() + " its name " + to.string() + ": " + ec.message());
  return {};
}

}  // namespace kbx::dataset
