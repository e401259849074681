// ParquetWriter: see the header. Names of structs and fields in the comments are those of parquet.thrift.
#include "dataset/parquet.h"

#include <cmath>
#include <cstring>

#include "base/check.h"
#include "dataset/thrift.h"
#include "model/version.h"

namespace kbx::dataset {
namespace {

constexpr size_t kPageBytes = 1 << 20, kGroupBytes = 64 << 20;
constexpr std::string_view kMagic = "PAR1";

// Type: BOOLEAN 0, INT64 2, DOUBLE 5, BYTE_ARRAY 6.
int physical(Type type) { return type == Type::boolean ? 0 : type == Type::integer ? 2 : type == Type::real ? 5 : 6; }

template <class T>
void put_little(std::string& out, T value) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof bytes);
}

// One page being filled: a definition level a row (1: there is a value), and the values that are there.
struct Page {
  std::vector<bool> present;
  std::string values;
  std::vector<bool> booleans;
};

struct Chunk {
  std::string bytes;  // finished pages, headers included
  Page page;
  int64_t rows = 0;
};

struct ChunkPlace {
  int64_t offset = 0, bytes = 0, values = 0;
};
struct Group {
  int64_t rows = 0;
  std::vector<ChunkPlace> chunks;
};

// Runs of equal levels: varint(count << 1), then the level in one byte.
std::string levels(const std::vector<bool>& present) {
  std::string out;
  for (size_t at = 0; at < present.size();) {
    size_t end = at;
    while (end < present.size() && present[end] == present[at]) end++;
    for (uint64_t head = uint64_t(end - at) << 1;;) {
      bool last = head < 0x80;
      out += char((head & 0x7f) | (last ? 0 : 0x80));
      if (last) break;
      head >>= 7;
    }
    out += char(present[at] ? 1 : 0);
    at = end;
  }
  return out;
}

std::string packed(const std::vector<bool>& bits) {
  std::string out((bits.size() + 7) / 8, '\0');
  for (size_t k = 0; k < bits.size(); k++)
    if (bits[k]) out[k / 8] = char(static_cast<unsigned char>(out[k / 8]) | 1u << (k % 8));
  return out;
}

void finish_page(Chunk& chunk, Type type) {
  Page page = std::exchange(chunk.page, {});
  if (page.present.empty()) return;
  std::string defined = levels(page.present), body;
  put_little(body, uint32_t(defined.size()));
  body += defined;
  body += type == Type::boolean ? packed(page.booleans) : page.values;
  Thrift header;                                // PageHeader
  header.begin(0);
  header.i32(1, 0);                             // type: DATA_PAGE
  header.i32(2, int32_t(body.size()));          // uncompressed_page_size
  header.i32(3, int32_t(body.size()));          // compressed_page_size
  header.begin(5);                              // data_page_header
  header.i32(1, int32_t(page.present.size()));  // num_values, nulls included
  header.i32(2, 0);                             // encoding: PLAIN
  header.i32(3, 3);                             // definition_level_encoding: RLE
  header.i32(4, 3);                             // repetition_level_encoding: RLE
  header.end();
  header.end();
  chunk.bytes += header.bytes();
  chunk.bytes += body;
}

void put_cell(Page& page, Type type, const Cell& cell) {
  const double* real = std::get_if<double>(&cell);
  bool null = std::holds_alternative<std::monostate>(cell) || (real && !std::isfinite(*real));
  page.present.push_back(!null);
  if (null) return;
  if (type == Type::boolean) {
    page.booleans.push_back(std::get<bool>(cell));
  } else if (type == Type::integer) {
    put_little(page.values, std::get<int64_t>(cell));
  } else if (type == Type::real) {
    put_little(page.values, *real);
  } else {
    const std::string& text = std::get<std::string>(cell);
    put_little(page.values, uint32_t(text.size()));
    page.values += text;
  }
}

void put_schema(Thrift& t, const std::vector<Column>& columns) {
  t.list(2, Thrift::kStruct, columns.size() + 1);  // schema: SchemaElement
  t.begin(0);
  t.text(4, "schema");
  t.i32(5, int32_t(columns.size()));  // num_children
  t.end();
  for (const Column& c : columns) {
    t.begin(0);
    t.i32(1, physical(c.type));
    t.i32(3, 1);  // repetition_type: OPTIONAL
    t.text(4, c.name);
    if (c.type == Type::text) {
      t.i32(6, 0);   // converted_type: UTF8
      t.begin(10);   // logicalType
      t.begin(1);    // STRING
      t.end();
      t.end();
    }
    t.end();
  }
}

void put_chunk(Thrift& t, const Column& column, const ChunkPlace& place) {
  t.begin(0);                // ColumnChunk
  t.i64(2, place.offset);    // file_offset
  t.begin(3);                // meta_data
  t.i32(1, physical(column.type));
  t.list(2, Thrift::kI32, 2);  // encodings
  t.i32(0, 0);
  t.i32(0, 3);
  t.list(3, Thrift::kBinary, 1);  // path_in_schema
  t.text(0, column.name);
  t.i32(4, 0);               // codec: UNCOMPRESSED
  t.i64(5, place.values);
  t.i64(6, place.bytes);     // total_uncompressed_size
  t.i64(7, place.bytes);     // total_compressed_size
  t.i64(9, place.offset);    // data_page_offset
  t.end();
  t.end();
}

}  // namespace

struct ParquetWriter::State {
  std::filesystem::path path, part;
  std::vector<Column> columns;
  std::FILE* file = nullptr;
  int64_t written = 0, rows = 0;
  std::vector<Chunk> chunks;
  std::vector<Group> groups;

  ~State() {
    if (!file) return;
    std::fclose(file);
    std::error_code ec;
    std::filesystem::remove(part, ec);
  }

  Result<void> write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) return fail_errno(Code::io, "cannot write " + path.string());
    written += int64_t(bytes.size());
    return {};
  }

  size_t buffered() const {
    size_t sum = 0;
    for (const Chunk& c : chunks) sum += c.bytes.size() + c.page.values.size();
    return sum;
  }

  Result<void> finish_group() {
    if (chunks.empty() || chunks[0].rows == 0) return {};
    Group group{chunks[0].rows, {}};
    for (size_t k = 0; k < chunks.size(); k++) {
      finish_page(chunks[k], columns[k].type);
      group.chunks.push_back({written, int64_t(chunks[k].bytes.size()), chunks[k].rows});
      KBX_TRY(write(chunks[k].bytes));
      chunks[k] = {};
    }
    groups.push_back(std::move(group));
    return {};
  }

  std::string footer() const {
    Thrift t;  // FileMetaData
    t.begin(0);
    t.i32(1, 1);  // version
    put_schema(t, columns);
    t.i64(3, rows);
    t.list(4, Thrift::kStruct, groups.size());  // row_groups
    for (const Group& g : groups) {
      int64_t bytes = 0;
      for (const ChunkPlace& c : g.chunks) bytes += c.bytes;
      t.begin(0);
      t.list(1, Thrift::kStruct, g.chunks.size());
      for (size_t k = 0; k < g.chunks.size(); k++) put_chunk(t, columns[k], g.chunks[k]);
      t.i64(2, bytes);
      t.i64(3, g.rows);
      t.end();
    }
    t.text(6, std::string("kbx ") + kEngineVersion);  // created_by
    t.end();
    return t.bytes();
  }
};

ParquetWriter::ParquetWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
ParquetWriter::ParquetWriter(ParquetWriter&&) noexcept = default;
ParquetWriter::~ParquetWriter() = default;

Result<ParquetWriter> ParquetWriter::open(const std::filesystem::path& path, std::vector<Column> columns) {
  auto state = std::make_unique<State>();
  state->path = state->part = path;
  state->part += ".part";
  state->columns = std::move(columns);
  state->chunks.resize(state->columns.size());
  state->file = std::fopen(state->part.c_str(), "wb");
  if (!state->file) return fail_errno(Code::io, "cannot write " + state->part.string());
  KBX_TRY(state->write(kMagic));
  return ParquetWriter(std::move(state));
}

Result<void> ParquetWriter::add(const Row& row) {
  State& s = *state_;
  KBX_CHECK(row.size() == s.columns.size());
  for (size_t k = 0; k < row.size(); k++) {
    put_cell(s.chunks[k].page, s.columns[k].type, row[k]);
    s.chunks[k].rows++;
    if (s.chunks[k].page.values.size() >= kPageBytes) finish_page(s.chunks[k], s.columns[k].type);
  }
  s.rows++;
  return s.buffered() >= kGroupBytes ? s.finish_group() : Result<void>();
}

Result<void> ParquetWriter::close() {
  State& s = *state_;
  KBX_TRY(s.finish_group());
  std::string footer = s.footer(), size;
  put_little(size, uint32_t(footer.size()));
  KBX_TRY(s.write(footer + size + std::string(kMagic)));
  bool bad = std::fclose(std::exchange(s.file, nullptr)) != 0;
  std::error_code ec;
  if (bad) std::filesystem::remove(s.part, ec);
  if (bad) return fail_errno(Code::io, "cannot write " + s.path.string() + " (is the disk full?)");
  std::filesystem::rename(s.part, s.path, ec);
  if (ec) return fail(Code::io, "cannot write " + s.path.string() + ": " + ec.message());
  return {};
}

}  // namespace kbx::dataset
