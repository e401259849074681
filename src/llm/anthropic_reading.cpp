// Anthropic Messages: events and whole messages. Blocks are told apart by index: servers interleave them.
#include <array>
#include <map>

#include "llm/api_error.h"
#include "llm/json_scan.h"
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
      if (Block* b = block(index_of(data))) add(*b, get(data, "content_block"), g);
    } else if (type == "content_block_delta") {
      if (Block* b = block(index_of(data))) add(*b, get(data, "delta"), g);
    } else if (type == "message_delta") {
      tail(get(data, "delta"), g);
      g.tokens.add_anthropic(get(data, "usage"));
    } else if (type == "message_stop") {
      g.ended = true;
    }
  }

  // content_block_delta with text or thinking.
  bool piece(const std::string&, std::string_view data, Gathered& g) override {
    std::string type, text, thinking;
    int64_t index = 0;
    int types = 0, indices = 0, deltas = 0, texts = 0;
    JsonScan scan(data);
    auto of_delta = [&](std::string_view key) {
      if (key == "text") return ++texts == 1 && scan.string(text);
      if (key == "thinking") return ++texts == 1 && scan.string(thinking);
      return key != "partial_json" && key != "signature" && scan.skip();
    };
    auto of_event = [&](std::string_view key) {
      if (key == "type") return ++types == 1 && scan.string(type) && type == "content_block_delta";
      if (key == "index") return ++indices == 1 && scan.integer(index);
      if (key == "delta") return ++deltas == 1 && scan.members(of_delta);
      return key == "error" ? scan.null() : scan.skip();
    };
    if (!scan.members(of_event) || !scan.at_end() || types == 0 || texts == 0) return false;
    if (Block* b = block(index)) add(*b, text, thinking, g);
    return true;
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

  static long long index_of(const Json& data) { return get_int(data, "index").value_or(0); }

  Block* block(long long index) {
    if (blocks_.size() >= kMostBlocks && !blocks_.count(index)) return nullptr;
    return &blocks_[index];
  }

  // A block as a whole or a piece of one: the same keys.
  static void add(Block& b, const Json& piece, Gathered& g) {
    auto text = get_string(piece, "text"), thinking = get_string(piece, "thinking"), tool = get_string(piece, "partial_json");
    bool signature = get_string(piece, "signature").has_value();
    if (tool) g.other_bytes += tool->size();
    if (!add(b, text.value_or(""), thinking.value_or(""), g) && (tool || signature)) g.payloads++;
  }
  static bool add(Block& b, const std::string& text, const std::string& thinking, Gathered& g) {
    b.text += text;
    b.reasoning += thinking;
    g.kept += text.size() + thinking.size();
    bool any = !text.empty() || !thinking.empty();
    g.payloads += any;
    return any;
  }

  std::map<long long, Block> blocks_;
};

}  // namespace

std::unique_ptr<Reading> anthropic_reading() { return std::make_unique<AnthropicReading>(); }

}  // namespace kbx::llm
