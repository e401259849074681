#include "model/tape_json.h"

#include <iterator>
#include <limits>

#include "base/base64.h"

namespace kbx {
namespace {

constexpr std::string_view kOrigins[] = {"input", "fresh", "uniform", "constant", "unknown"};

std::string packed(const Bytes& bytes) { return to_base64(bytes.data(), bytes.size()); }

Json view_json(const TapeView& v) { return Json::array({v.buffer, to_text(v.dtype), v.offset, v.shape, v.stride}); }

Json argument_json(const TapeArgument& a) {
  // 64-bit patterns as signed numbers: what every reader of JSON keeps whole.
  if (a.buffer < 0) return Json::array({int64_t(a.bits)});
  return Json::array({a.buffer, a.offset, a.width});
}

Json entry_json(const TapeLaunch& e) {
  Json arguments = Json::array();
  for (const TapeArgument& a : e.arguments) arguments.push_back(argument_json(a));
  return {{"launch", e.image}, {"grid", e.grid}, {"args", arguments}, {"writes", e.writes}};
}
Json entry_json(const TapeCopy& e) { return {{"copy", view_json(e.to)}, {"from", view_json(e.from)}}; }
Json entry_json(const TapeFill& e) { return {{"fill", view_json(e.to)}, {"element", packed(e.element)}}; }
Json entry_json(const TapeData& e) { return {{"data", packed(e.data)}, {"buffer", e.buffer}}; }
Json entry_json(const TapeOperator& e) { return {{"op", e.name}, {"reads", e.reads}, {"writes", e.writes}}; }
Json entry_json(const TapeHostRead& e) { return {{"host", e.buffer}}; }

class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  Result<Tape> read() {
    if (!json_.is_object()) return fail(Code::usage, "no tape");
    tape_.trouble = get_string(json_, "trouble").value_or("").substr(0, 300);
    bool whole = buffers() && images() && each("entries", kMaxTapeEntries, [&](const Json& j) { return entry(j); }) &&
                 each("outputs", kMaxTapeBuffers, [&](const Json& j) { return view(j, tape_.outputs.emplace_back()); });
    if (!whole) return fail(Code::usage, "a malformed tape: " + problem_);
    return std::move(tape_);
  }

 private:
  bool bad(std::string why) {
    if (problem_.empty()) problem_ = std::move(why);
    return false;
  }
  template <class F>
  bool each(const char* key, size_t most, F read) {
    const Json& list = get(json_, key);
    if (!list.is_array() || list.size() > most) return bad(std::string(key) + " is no list, or too long");
    for (const Json& j : list)
      if (!read(j)) return bad(std::string("in ") + key);
    return true;
  }

  bool buffers() {
    int64_t total = 0;
    return each("buffers", kMaxTapeBuffers, [&](const Json& j) {
      TapeBuffer b;
      std::string origin = get_string(j, "origin").value_or("");
      size_t which = 0;
      while (which < std::size(kOrigins) && kOrigins[which] != origin) which++;
      if (which == std::size(kOrigins)) return bad("a buffer of unknown origin");
      b.origin = TapeBuffer::Origin(which);
      b.bytes = get_int(j, "bytes").value_or(-1);
      b.at = get_int(j, "at").value_or(0);
      b.ones = get_bool(j, "ones").value_or(false);
      if (b.bytes < 0 || b.bytes > kMaxTapeBytes || (total += b.bytes) > kMaxTapeBytes || b.at < 0) return bad("a buffer of impossible size");
      if (!bytes(j, "data", b.data)) return false;
      if (b.origin == TapeBuffer::Origin::constant && int64_t(b.data.size()) != b.bytes) return bad("a constant of another size than its buffer");
      if (b.origin == TapeBuffer::Origin::uniform && (b.data.empty() || b.data.size() > 16)) return bad("a uniform buffer without an element");
      tape_.buffers.push_back(std::move(b));
      return true;
    });
  }

  bool images() {
    return each("images", 4096, [&](const Json& j) {
      if (!j.is_string() || j.get<std::string>().size() != 64) return bad("an image that is no hash");
      tape_.images.push_back(j.get<std::string>());
      return true;
    });
  }

  bool bytes(const Json& j, const char* key, Bytes& out) {
    auto text = get_string(j, key);
    if (!text) return true;
    auto data = from_base64(*text);
    if (!data) return bad("bytes that are no base64");
    out = std::move(*data);
    return true;
  }

  static bool integer(const Json& j, int64_t& out) {
    if (!j.is_number_integer()) return false;
    if (j.is_number_unsigned() && j.get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max())) return false;
    out = j.get<int64_t>();
    return true;
  }
  bool buffer(const Json& j, int32_t& out) {
    int64_t n = -1;
    if (!integer(j, n) || n < 0 || n >= int64_t(tape_.buffers.size())) return bad("an index of no buffer");
    out = int32_t(n);
    return true;
  }
  bool buffer_list(const Json& j, std::vector<int32_t>& out) {
    if (!j.is_array() || j.size() > kMaxTapeBuffers) return bad("a list of buffers that is none");
    for (const Json& item : j)
      if (!buffer(item, out.emplace_back())) return false;
    return true;
  }
  static bool sizes(const Json& j, std::vector<int64_t>& out) {
    if (!j.is_array() || j.size() > 64) return false;
    for (const Json& item : j)
      if (!integer(item, out.emplace_back())) return false;
    return true;
  }
  bool view(const Json& j, TapeView& v) {
    if (!j.is_array() || j.size() != 5 || !j[1].is_string()) return bad("a view that is none");
    auto dtype = dtype_from_text(j[1].get<std::string>());
    if (!buffer(j[0], v.buffer)) return false;
    if (!dtype || !integer(j[2], v.offset) || !sizes(j[3], v.shape) || !sizes(j[4], v.stride)) return bad("a view that is none");
    v.dtype = *dtype;
    int64_t elements = 1;  // a stride of 0 makes many of few bytes
    for (int64_t n : v.shape)
      if (n < 0 || __builtin_mul_overflow(elements, n, &elements) || elements > kMaxTapeBytes) return bad("a view of impossible size");
    return view_fits(v, tape_.buffers[size_t(v.buffer)].bytes) || bad("a view outside its buffer");
  }

  bool entry(const Json& j) {
    if (!j.is_object()) return bad("an entry that is none");
    if (j.contains("launch")) return launch(j);
    if (j.contains("copy")) {
      TapeCopy e;
      if (!view(j["copy"], e.to) || !view(get(j, "from"), e.from)) return false;
      return e.to.shape == e.from.shape ? add(std::move(e)) : bad("a copy between different shapes");
    }
    if (j.contains("fill")) {
      TapeFill e;
      if (!view(j["fill"], e.to) || !bytes(j, "element", e.element)) return false;
      return e.element.size() == size_of(e.to.dtype) ? add(std::move(e)) : bad("a fill by an element of another size");
    }
    if (j.contains("data")) {
      TapeData e;
      if (!buffer(get(j, "buffer"), e.buffer) || !bytes(j, "data", e.data)) return false;
      return int64_t(e.data.size()) == tape_.buffers[size_t(e.buffer)].bytes ? add(std::move(e)) : bad("data of another size than its buffer");
    }
    if (j.contains("op")) {
      TapeOperator e{get_string(j, "op").value_or("?").substr(0, 100), {}, {}};
      return buffer_list(get(j, "reads"), e.reads) && buffer_list(get(j, "writes"), e.writes) && add(std::move(e));
    }
    TapeHostRead e;
    return buffer(get(j, "host"), e.buffer) && add(std::move(e));
  }

  bool launch(const Json& j) {
    TapeLaunch e;
    int64_t image = -1;
    if (!integer(j["launch"], image) || image < 0 || image >= int64_t(tape_.images.size())) return bad("a launch of no image");
    e.image = int32_t(image);
    const Json& grid = get(j, "grid");
    if (!grid.is_array() || grid.size() != 3) return bad("a grid that is none");
    for (size_t k = 0; k < 3; k++)
      if (!integer(grid[k], e.grid[k])) return bad("a grid that is none");
    const Json& arguments = get(j, "args");
    if (!arguments.is_array() || arguments.size() > kMaxTapeArguments) return bad("arguments that are none");
    for (const Json& a : arguments)
      if (!argument(a, e.arguments.emplace_back())) return false;
    return buffer_list(get(j, "writes"), e.writes) && add(std::move(e));
  }

  bool argument(const Json& j, TapeArgument& a) {
    int64_t n = 0;
    if (j.is_array() && j.size() == 1 && integer(j[0], n)) {
      a.bits = uint64_t(n);
      return true;
    }
    if (!j.is_array() || j.size() != 3) return bad("an argument that is none");
    int64_t width = 0;
    if (!buffer(j[0], a.buffer) || !integer(j[1], a.offset) || !integer(j[2], width)) return bad("an argument that is none");
    if (width != 1 && width != 2 && width != 4 && width != 8) return bad("an element of impossible size");
    a.width = uint32_t(width);
    return true;
  }

  template <class E>
  bool add(E e) {
    tape_.entries.emplace_back(std::move(e));
    return true;
  }

  const Json& json_;
  Tape tape_;
  std::string problem_;
};

}  // namespace

Json tape_to_json(const Tape& tape) {
  Json buffers = Json::array(), entries = Json::array(), outputs = Json::array();
  for (const TapeBuffer& b : tape.buffers) {
    Json j = {{"origin", kOrigins[size_t(b.origin)]}, {"bytes", b.bytes}};
    if (b.origin == TapeBuffer::Origin::input) j["at"] = b.at;
    if (b.ones) j["ones"] = true;
    if (!b.data.empty()) j["data"] = packed(b.data);
    buffers.push_back(std::move(j));
  }
  for (const TapeEntry& e : tape.entries) entries.push_back(std::visit([](const auto& one) { return entry_json(one); }, e));
  for (const TapeView& v : tape.outputs) outputs.push_back(view_json(v));
  Json out = {{"buffers", buffers}, {"images", tape.images}, {"entries", entries}, {"outputs", outputs}};
  if (!tape.trouble.empty()) out["trouble"] = tape.trouble;
  return out;
}

Result<Tape> tape_from_json(const Json& json) { return Reader(json).read(); }

}  // namespace kbx
