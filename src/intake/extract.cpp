// Theory: the answer (reasoning taken off) is either Python as a whole, or JSON that holds it, or prose with pieces of
// code. Pieces are scored by what they define, never by what the prose says about them.
#include "intake/extract.h"

#include <algorithm>

#include "base/text.h"
#include "intake/json_reply.h"
#include "intake/piece.h"
#include "intake/published_tests.h"
#include "intake/reasoning.h"
#include "intake/repair.h"
#include "intake/upstream.h"

namespace kbx::intake {
namespace {

constexpr int kMostNesting = 3;  // JSON in a fence, a fence in JSON

Finding finding(std::string rule, Severity severity, std::string message) {
  return {Layer::intake, std::move(rule), severity, std::move(message), 0, 0};
}

Finding tests_cut_finding() {
  return finding("published_tests_cut", Severity::note,
                 "The text behind the line of 146 '#' (the published tests) was cut off.");
}

std::string unix_lines(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] == '\n')) continue;
    out += text[i] == '\r' ? '\n' : text[i];
  }
  return out;
}

// A reply that is indented as a whole, or whose first line alone is (" import torch"), and its ragged end.
std::string tidy(const std::string& text) {
  size_t begin = text.find_first_not_of(" \t\n");
  if (begin == text.npos) return {};
  size_t line = text.rfind('\n', begin) == text.npos ? 0 : text.rfind('\n', begin) + 1;
  size_t end = text.find_last_not_of(" \t\n") + 1;
  std::string indent = text.substr(line, begin - line), out;
  bool all = true;
  for (const auto& l : split_lines(std::string_view(text).substr(line, end - line)))
    all &= trim(l).empty() || starts_with(l, indent);
  if (indent.empty() || !all) return text.substr(begin, end - begin) + "\n";
  for (const auto& l : split_lines(std::string_view(text).substr(line, end - line)))
    out += (l.size() >= indent.size() ? l.substr(indent.size()) : "") + "\n";
  return out;
}

bool is_other_language(const Piece& piece) {
  if (piece.shape.valid) return false;
  for (std::string_view tag : {"cpp", "c++", "c", "cuda", "cu", "bash", "sh", "text", "json", "rust"})
    if (piece.tag == tag) return true;
  return piece.code.find("#include <") != piece.code.npos || piece.code.find("__global__") != piece.code.npos;
}

class Extractor {
 public:
  Extractor(const Target& target, bool mend) : target_(target), mend_(mend) {}

  Extracted run(std::string_view reply) {
    std::string text = unix_lines(reply);
    Reasoning reasoning = strip_reasoning(text);
    if (!reasoning.open) return answer(reasoning.answer, 0);
    Extracted out = answer(reasoning.reasoning, kMostNesting);
    if (out.how != "fence" && out.how != "joined")
      out = Extracted{.how = "none", .candidates = out.candidates};
    else
      out.how = "reasoning";
    out.truncated = true;
    out.findings.push_back(
        finding("reply_cut", Severity::warn, "The reply ends inside the model's reasoning: it was cut."));
    return out;
  }

 private:
  Extracted answer(std::string_view given, int nesting) {
    std::string text(given);
    auto blocks = find_blocks(text);
    auto front = before_published_tests(text);
    bool tests_cut = front.size() < text.size() && (blocks.empty() || blocks.front().begin > front.size());
    if (tests_cut) text.resize(front.size()), blocks.clear();
    Extracted out = from_text(text, blocks, nesting);
    if (tests_cut) out.findings.push_back(tests_cut_finding());
    return out;
  }

  Extracted from_text(const std::string& text, const std::vector<Block>& blocks, int nesting) {
    Piece whole = make_piece(tidy(text), "whole");
    if (whole.shape.valid && whole.shape.has_code) return finish(std::move(whole), 1);
    if (nesting < kMostNesting)
      if (auto json = from_json(text, nesting)) return std::move(*json);

    std::vector<Piece> pieces;
    if (!blocks.empty() && blocks.front().begin > 0)
      add(pieces, make_piece(tidy(text.substr(0, blocks.front().begin)), "before_fence"));
    for (const auto& block : blocks) {
      if (nesting < kMostNesting)
        if (auto json = from_json(block.content, nesting)) return std::move(*json);
      add_block(pieces, block);
    }
    if (pieces.empty()) add(pieces, std::move(whole));
    if (pieces.empty()) return nothing(text);
    return choose(std::move(pieces));
  }

  std::optional<Extracted> from_json(std::string_view text, int nesting) {
    auto json = code_from_json(text);
    if (!json) return std::nullopt;
    Extracted out = answer(unix_lines(json->code), nesting + 1);
    if (out.code.empty()) return std::nullopt;
    out.how = json->salvaged ? "json_salvage" : "json";
    if (json->cut && !out.truncated) {
      out.truncated = true;
      out.findings.push_back(finding("reply_cut", Severity::warn, "The reply ends inside a JSON string: it was cut."));
    }
    return out;
  }

  void add(std::vector<Piece>& pieces, Piece piece) {
    bool wanted = piece.shape.has_code && !is_diff(piece.code) && !is_other_language(piece);
    diff_ |= is_diff(piece.code);
    other_language_ |= is_other_language(piece);
    if (wanted) pieces.push_back(std::move(piece));
  }

  // A block that is no Python itself but holds fences is Markdown in Markdown.
  void add_block(std::vector<Piece>& pieces, const Block& block) {
    Piece piece = make_piece(block);
    auto inner = piece.shape.valid ? std::vector<Block>() : find_blocks(block.content);
    if (inner.empty()) return add(pieces, std::move(piece));
    for (auto& b : inner) {
      b.closed |= block.closed;
      add(pieces, make_piece(b));
    }
  }

  Extracted choose(std::vector<Piece> pieces) {
    int count = int(pieces.size());
    bool ends_open = !pieces.back().closed && pieces.back().shape.cut;
    // A joined piece comes behind its own parts: of equals the later wins.
    std::vector<Piece> all = pieces;
    for (auto& joined : join_pieces(pieces, target_)) all.push_back(std::move(joined));
    size_t best = 0;
    auto best_score = all[0].score(target_);
    for (size_t i = 1; i < all.size(); i++)
      if (auto score = all[i].score(target_); score >= best_score) best = i, best_score = score;
    Extracted out = finish(std::move(all[best]), count);
    if (ends_open && !out.truncated) {
      out.truncated = true;
      out.findings.push_back(
          finding("reply_cut", Severity::warn,
                  "The reply ends inside a later block of code: an earlier, complete one was taken."));
    }
    return out;
  }

  Extracted finish(Piece piece, int count) {
    Extracted out{.code = std::move(piece.code), .how = piece.how, .candidates = count};
    auto note = [&](std::string rule, Severity severity, std::string message) {
      out.findings.push_back(finding(std::move(rule), severity, std::move(message)));
    };
    bool at_end = !piece.closed || piece.how == "whole";
    if (piece.tests_cut) out.findings.push_back(tests_cut_finding());
    if (piece.text_after_end)
      note("text_after_end_token", Severity::note,
           "The code ends at the model's end-of-turn token; text behind it was dropped.");
    if (piece.shape.cut && at_end) {
      out.truncated = true;
      note("reply_cut", Severity::warn,
           "The reply ends in the middle of the code: it was cut (" + piece.shape.problem + ").");
    } else if (!piece.closed) {
      note("fence_not_closed", Severity::note, "The code block is never closed; its code is complete.");
    }
    if (has_placeholder(out.code))
      note("placeholder", Severity::warn, "A comment stands where code is missing (such as \"# ... rest unchanged\").");
    if (!defines_target(piece.shape, target_) && !target_.names.empty())
      note("target_not_defined", Severity::note, "No piece of the reply defines " + target_.names.front() + ".");
    if (!piece.shape.valid) typographic(out);
    if (mend_ && !piece.shape.valid && !out.truncated) mend(out);
    return out;
  }

  void typographic(Extracted& out) {
    for (std::string_view mark : {"\xE2\x80\x9C", "\xE2\x80\x9D", "\xE2\x80\x98", "\xE2\x80\x99", "\xC2\xA0"})
      if (out.code.find(mark) != out.code.npos) {
        out.findings.push_back(finding("typographic", Severity::warn,
                                       "The code holds typographic quotes or no-break spaces, which are not Python."));
        return;
      }
  }

  void mend(Extracted& out) {
    auto code = repair(out.code, target_);
    if (!code) return;
    out.code = std::move(*code);
    out.repaired = true;
    out.findings.push_back(
        finding("repaired", Severity::warn, "The code was mended; it does not count in headline numbers."));
  }

  Extracted nothing(const std::string& text) {
    std::string begins = clean_utf8(trim(text).substr(0, 60));
    std::string why = diff_             ? "The reply is a diff, not a file."
                      : other_language_ ? "The reply's code is not Python."
                      : begins.empty()  ? "The reply is empty."
                                        : "The reply holds no code; it begins: " + begins;
    return {.how = "none", .findings = {finding("no_code", Severity::warn, why)}};
  }

  const Target& target_;
  bool mend_;
  bool diff_ = false, other_language_ = false;
};

Extracted upstream(std::string_view reply) {
  Extracted out{.code = upstream_clear_code(reply), .how = "upstream", .candidates = 1};
  auto kept = before_published_tests(out.code);
  if (kept.size() != out.code.size()) {
    out.code.resize(kept.size());
    out.findings.push_back(tests_cut_finding());
  }
  if (out.code.empty()) out.candidates = 0;
  return out;
}

}  // namespace

std::string_view to_text(ExtractMode mode) {
  return mode == ExtractMode::upstream ? "upstream" : mode == ExtractMode::kbx ? "kbx" : "repair";
}

std::optional<ExtractMode> extract_mode_from_text(std::string_view text) {
  for (auto mode : {ExtractMode::upstream, ExtractMode::kbx, ExtractMode::repair})
    if (to_text(mode) == text) return mode;
  return std::nullopt;
}

Extracted extract(std::string_view reply, ExtractMode mode, const Target& target) {
  if (mode == ExtractMode::upstream) return upstream(reply);
  return Extractor(target, mode == ExtractMode::repair).run(reply);
}

}  // namespace kbx::intake
