// Anthropic Messages: events and whole messages. Blocks are told apart by index: servers interleave them.
#include <array>
#include <map>

#include "llm/api_error.h"
#include "llm/readings.h"

namespace kbx::llm {
namespace {

constexpr size_t kMostBlocks = 10000;
constexpr std::array<std::pair<std::string_view, Stop>, 7> kStops{{{"end_turn", Stop::end},
                                                                   {"max_tokens", Stop::length},
                                                                   {"stop_sequence", Stop::stop_sequence},
                                                                   {"tool_use", Stop::tool},
                                                                   {"pause_turn", Stop::pause},
                                                                   {"refusal", Stop::refusal},
                                                                   {"model_context_window_exceeded", Stop::context_full}}};

struct Block {
  std::string text, reasoning;
};

class AnthropicReading : public Reading {
 public:
  // A server may name no event, the type inside says it again; what has another name is none of ours.
  bool knows(const std::string& name) const override {
    return name.empty() || name == "message" || name == "error" || name.rfind("message_", 0) == 0 || name.rfind("content_block_", 0) == 0;
  }

  void event(const std::string& name, const Json& data, Gathered& g) override {
    std::string type = get_string(data, "type").value_or(name);
    if (type == "error" || !get(data, "error").is_null()) {
      g.error = error_inside(200, get(data, "error").is_null() ? data : get(data, "error"));
    } else if (type == "message_start") {
      head(get(data, "message"), g);
    } else if (type == "content_block_start") {
      if (Block* b = block(data)) add(*b, get(data, "content_block"), g);
    } else if (type == "content_block_delta") {
      if (Block* b = block(data)) add(*b, get(data, "delta"), g);
    } else if (type == "message_delta") {
      tail(get(data, "delta"), g);
      g.tokens.add_anthropic(get(data, "usage"));
    } else if (type == "message_stop") {
      g.ended = true;
    }
  }

  void done_mark(Gathered&) override {}

  void whole(const Json& answer, Gathered& g) override {
    if (!get(answer, "error").is_null()) {
      g.error = error_inside(200, get(answer, "error"));
      return;
    }
    if (!get(answer, "content").is_array()) {
      g.error = error_of_ours(ApiFault::protocol, 200, "a JSON answer without \"content\"", false);
      return;
    }
    head(answer, g);
    tail(answer, g);
    int64_t index = 0;
    for (const Json& b : get(answer, "content")) add(blocks_[index++], b, g);
    g.ended = true;
  }

  void assemble(Gathered& g) override {
    for (auto& [index, b] : blocks_) {
      g.text += b.text;
      g.reasoning += b.reasoning;
    }
    blocks_.clear();
  }

 private:
  static void head(const Json& message, Gathered& g) {
    g.model = get_string(message, "model").value_or(g.model);
    g.id = get_string(message, "id").value_or(g.id);
    g.tokens.add_anthropic(get(message, "usage"));
  }

  static void tail(const Json& delta, Gathered& g) {
    auto reason = get_string(delta, "stop_reason");
    if (!reason) return;
    g.raw_stop = *reason;
    g.stop = Stop::unknown;
    for (auto& [word, stop] : kStops)
      if (word == *reason) g.stop = stop;
    if (auto category = get_string(get(delta, "stop_details"), "category")) g.raw_stop += ":" + *category;
  }

  Block* block(const Json& data) {
    long long index = get_int(data, "index").value_or(0);
    if (blocks_.size() >= kMostBlocks && !blocks_.count(index)) return nullptr;
    return &blocks_[index];
  }

  // A block as a whole or a piece of one: the same keys.
  static void add(Block& b, const Json& piece, Gathered& g) {
    auto text = get_string(piece, "text"), thinking = get_string(piece, "thinking"), tool = get_string(piece, "partial_json");
    bool signature = get_string(piece, "signature").has_value();
    if (text) b.text += *text;
    if (thinking) b.reasoning += *thinking;
    if (tool) g.other_bytes += tool->size();
    g.kept += (text ? text->size() : 0) + (thinking ? thinking->size() : 0);
    if ((text && !text->empty()) || (thinking && !thinking->empty()) || tool || signature) g.payloads++;
  }

  std::map<long long, Block> blocks_;
};

}  // namespace

std::unique_ptr<Reading> anthropic_reading() { return std::make_unique<AnthropicReading>(); }

}  // namespace kbx::llm
