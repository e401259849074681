// Joining a wrapper with the kernel that the reply shows in another block.
#include <algorithm>
#include <set>

#include "intake/piece.h"

namespace kbx::intake {
namespace {

struct Need {
  bool functions = false;         // something besides imports
  std::set<std::string> imports;  // lines to take when nothing else is needed
};

// Constants of a usage example ("x = torch.randn(...)") are no offer: only pieces that define functions count.
bool offers(const Piece& piece) {
  return piece.shape.valid && std::any_of(piece.shape.definitions.begin(), piece.shape.definitions.end(),
                                          [](const Definition& d) { return d.is_function || d.is_import; });
}

class Joiner {
 public:
  Joiner(const std::vector<Piece>& pieces, size_t main) : pieces_(pieces), main_(main), need_(pieces.size()) {
    const auto& shape = pieces[main].shape;
    todo_ = shape.free_names;
  }

  // False when nothing was missing.
  bool run(Piece& out) {
    while (!todo_.empty()) {
      std::string name = std::move(todo_.back());
      todo_.pop_back();
      if (seen_.insert(name).second) resolve(name);
    }
    out = pieces_[main_];
    out.code = early_imports();
    bool joined = false;
    for (size_t i = 0; i < pieces_.size(); i++) {
      if (i == main_ || (need_[i].functions))
        append(out.code, pieces_[i].code);
      else
        for (const auto& line : need_[i].imports) append(out.code, line);
      joined |= need_[i].functions || !need_[i].imports.empty();
    }
    if (!joined) return false;
    // What the wrapper needs must stand in front of it only at import time; names are looked up when it is called.
    out.how = "joined";
    out.shape = shape_of(out.code);
    out.kernel = kernel_ || pieces_[main_].kernel;
    return true;
  }

 private:
  bool whole(size_t i) const { return i == main_ || need_[i].functions; }

  // The import line by which piece i binds `name` in the joined text; empty when it does not.
  std::string import_line(size_t i, const std::string& name) const {
    const Definition* d = pieces_[i].shape.find(name);
    if (!d || !d->is_import) return {};
    std::string line = pieces_[i].code.substr(d->begin, d->end - d->begin);
    return whole(i) || need_[i].imports.count(line) ? line : std::string();
  }
  bool binds(size_t i, const std::string& name) const {
    return whole(i) ? pieces_[i].shape.find(name) != nullptr : !import_line(i, name).empty();
  }

  // A kernel often stands in front of the block that imports triton for both: those imports are repeated in front.
  std::string early_imports() const {
    std::string out;
    std::set<std::string> lines;
    for (size_t i = 0; i < pieces_.size(); i++) {
      if (!whole(i)) continue;
      if (pieces_[i].code.find("from __future__") != std::string::npos) return {};  // nothing may stand in front of it
      for (const std::string& name : pieces_[i].shape.free_names) {
        size_t k = 0;
        while (k < pieces_.size() && (k == i || !binds(k, name))) k++;
        if (k < i || k == pieces_.size()) continue;
        std::string line = import_line(k, name);
        if (!line.empty() && lines.insert(line).second) append(out, line);
      }
    }
    return out;
  }

  void resolve(const std::string& name) {
    // The nearest piece in front, else the nearest behind.
    for (size_t k = 0; k < pieces_.size(); k++) {
      size_t i = k < main_ ? main_ - 1 - k : k;
      if (i == main_ || !offers(pieces_[i])) continue;
      const Definition* d = pieces_[i].shape.find(name);
      if (!d) continue;
      if (d->is_import) {
        need_[i].imports.insert(pieces_[i].code.substr(d->begin, d->end - d->begin));
      } else {
        if (!need_[i].functions)
          todo_.insert(todo_.end(), pieces_[i].shape.free_names.begin(), pieces_[i].shape.free_names.end());
        need_[i].functions = true;
        kernel_ |= pieces_[i].kernel;
      }
      return;
    }
  }

  static void append(std::string& code, std::string_view more) {
    if (!code.empty() && code.back() != '\n') code += '\n';
    code += more;
  }

  const std::vector<Piece>& pieces_;
  size_t main_;
  std::vector<Need> need_;
  std::vector<std::string> todo_;
  std::set<std::string> seen_;
  bool kernel_ = false;
};

constexpr size_t kMostPieces = 64;  // bounds the work on hostile replies

}  // namespace

std::vector<Piece> join_pieces(const std::vector<Piece>& pieces, const Target& target) {
  std::vector<Piece> out;
  if (pieces.size() < 2 || pieces.size() > kMostPieces) return out;
  for (size_t i = 0; i < pieces.size(); i++) {
    if (!pieces[i].shape.valid || !defines_target(pieces[i].shape, target)) continue;
    Piece joined;
    if (Joiner(pieces, i).run(joined)) out.push_back(std::move(joined));
  }
  return out;
}

}  // namespace kbx::intake
