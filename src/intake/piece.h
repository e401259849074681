// Piece: one part of a reply that may be the solution, with what speaks for it.
#pragma once
#include <string>
#include <tuple>
#include <vector>

#include "intake/extract.h"
#include "intake/fences.h"
#include "intake/python_shape.h"

namespace kbx::intake {

struct Piece {
  std::string code;
  std::string how = "fence";
  std::string tag;
  bool closed = true;
  bool kernel = false;          // holds a @triton.jit function, or was joined with the one that it calls
  bool tests_cut = false;       // the published tests stood behind it
  bool text_after_end = false;  // an end-of-turn token and other text stood behind it
  PythonShape shape;

  // Better pieces compare greater; among equals the later one wins: people correct themselves downwards.
  std::tuple<bool, bool, bool, bool, bool, bool> score(const Target& target) const;
};

bool defines_target(const PythonShape& shape, const Target& target);
bool is_python_tag(std::string_view tag);
// A comment that stands for code which is not there ("# ... rest unchanged").
bool has_placeholder(std::string_view code);
// A unified diff or a list of changed lines.
bool is_diff(std::string_view code);

// Cuts the published tests off, takes special tokens out, measures the shape.
Piece make_piece(std::string code, std::string how);
Piece make_piece(const Block& block);

// For each piece that defines the target but calls functions of other pieces: that piece with the others in front (in
// the reply's order; of a piece needed for its imports alone, only those). Imports that an earlier part needs and only a
// later one brings are repeated at the very front. Returns the joined pieces.
std::vector<Piece> join_pieces(const std::vector<Piece>& pieces, const Target& target);

}  // namespace kbx::intake
