// Source locations: "#loc7" aliases, names, call sites -> the line a person wants to see.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace kbx::ir {

struct SourceLine {
  std::string_view file;  // full path as printed; "" = unknown
  uint32_t line = 0;

  std::string text() const;  // "file.py:12", "" = unknown
};

class LocationTable {
 public:
  void add(std::string_view alias, std::string_view text) { aliases_[alias] = text; }
  // The innermost frame of a call chain that does not lie in Triton's own language library; else the outermost.
  // Damaged, cyclic or very deep locations give an unknown line.
  SourceLine find(std::string_view loc) const;

 private:
  std::unordered_map<std::string_view, std::string_view> aliases_;
};

}  // namespace kbx::ir
