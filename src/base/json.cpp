#include "base/json.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/text.h"

namespace kbx {
namespace {

constexpr size_t kMaxDepth = 256;
constexpr size_t kMostWords = 300;
constexpr size_t kFewKeys = 16;  // are found by looking at all

// Builds the value. nlohmann's own builder looks at all earlier keys for each key of an object: an object of a hundred
// thousand keys, which costs its sender nothing, would cost us a minute.
class Builder : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t& value) override { return put(std::move(value)); }
  bool start_object(size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }

  // Of equal keys the last one's value counts, in the first one's place.
  bool key(string_t& name) override {
    Open& here = open_.back();
    Members& members = here.value->get_ref<Json::object_t&>();
    member_ = place_of(here, members, name);
    if (member_) return true;
    if (members.size() >= kFewKeys) here.places.emplace(name, members.size());
    if (members.size() == 1) members.reserve(kFewKeys / 2);  // a member that moves is copied, with all that is in it
    members.emplace_back(std::move(name), Json());
    member_ = &members.back().second;
    return true;
  }

  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& e) override {
    error = e.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    if (auto at = error.find("] "); at != error.npos) error = error.substr(at + 2);
    error = "not valid JSON: " + shown(error, kMostWords);  // it quotes the text
    return false;
  }

  Json root;
  std::string error;

 private:
  using Members = Json::object_t::Container;
  struct Open {
    Json* value;
    std::unordered_map<std::string, size_t> places;  // of an object's members from kFewKeys on
  };

  static Json* place_of(const Open& here, Members& members, const std::string& name) {
    for (size_t k = 0; k < std::min(members.size(), kFewKeys); k++)
      if (members[k].first == name) return &members[k].second;
    auto place = here.places.find(name);
    return place == here.places.end() ? nullptr : &members[place->second].second;
  }

  template <class T>
  bool put(T&& value) {
    *slot() = std::forward<T>(value);
    return true;
  }
  Json* slot() {
    if (open_.empty()) return &root;
    if (open_.back().value->is_object()) return member_;
    return &open_.back().value->get_ref<Json::array_t&>().emplace_back();
  }
  // nlohmann's parser is iterative, its destructor and our walkers are not.
  bool open(Json empty) {
    if (open_.size() >= kMaxDepth) {
      error = "JSON nested deeper than 256 levels";
      return false;
    }
    Json* at = slot();
    *at = std::move(empty);
    open_.push_back({at, {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<Open> open_;  // a container does not move while one inside it is open
  Json* member_ = nullptr;  // where the value of the last key belongs
};

}  // namespace

Result<Json> parse_json(std::string_view text) {
  if (text.find('\0') != text.npos) return fail(Code::usage, "JSON with a NUL byte");  // nlohmann takes it for the end
  Builder builder;
  try {
    if (!Json::sax_parse(text, &builder)) return fail(Code::usage, builder.error);
  } catch (const std::exception& e) {
    return fail(Code::usage, std::string("JSON that cannot be read: ") + e.what());
  }
  return std::move(builder.root);
}

std::string dump_json(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

const Json& get(const Json& object, const char* key) {
  static const Json null;
  if (!object.is_object()) return null;
  auto it = object.find(key);
  return it == object.end() ? null : *it;
}

std::optional<std::string> get_string(const Json& object, const char* key) {
  const Json& v = get(object, key);
  if (!v.is_string()) return std::nullopt;
  return v.get<std::string>();
}
std::optional<long long> get_int(const Json& object, const char* key) {
  const Json& v = get(object, key);
  if (!v.is_number_integer()) return std::nullopt;
  return v.get<long long>();
}
std::optional<double> get_double(const Json& object, const char* key) {
  const Json& v = get(object, key);
  if (!v.is_number()) return std::nullopt;
  return v.get<double>();
}
std::optional<bool> get_bool(const Json& object, const char* key) {
  const Json& v = get(object, key);
  if (!v.is_boolean()) return std::nullopt;
  return v.get<bool>();
}

}  // namespace kbx
