// Chat Completions: chunks and whole answers, in the forms of all servers that speak it.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "intake/reasoning.h"
#include "llm/api_error.h"
#include "llm/http_words.h"
#include "llm/json_scan.h"
#include "llm/readings.h"

namespace kbx::llm {
namespace {

// Lower case. Gateways pass on words of the vendors behind them.
constexpr std::array<std::pair<std::string_view, Stop>, 21> kStops{{{"stop", Stop::end},
                                                                    {"eos", Stop::end},
                                                                    {"eos_token", Stop::end},
                                                                    {"end_turn", Stop::end},
                                                                    {"completed", Stop::end},
                                                                    {"length", Stop::length},
                                                                    {"max_tokens", Stop::length},
                                                                    {"max_output_tokens", Stop::length},
                                                                    {"stop_sequence", Stop::stop_sequence},
                                                                    {"tool_calls", Stop::tool},
                                                                    {"tool_use", Stop::tool},
                                                                    {"function_call", Stop::tool},
                                                                    {"content_filter", Stop::filter},
                                                                    {"safety", Stop::filter},
                                                                    {"sensitive", Stop::filter},
                                                                    {"refusal", Stop::refusal},
                                                                    {"model_length", Stop::context_full},
                                                                    {"model_context_window_exceeded", Stop::context_full},
                                                                    {"pause_turn", Stop::pause},
                                                                    {"abort", Stop::aborted},
                                                                    {"cancelled", Stop::aborted}}};

class OpenAiReading : public Reading {
 public:
  explicit OpenAiReading(bool think_tags) : think_tags_(think_tags) {}

  bool knows(const std::string& name) const override { return name.empty() || name == "message" || name == "error"; }

  void event(const std::string& name, const Json& chunk, Gathered& g) override { take(chunk, "delta", name == "error", g); }

  // One choice with text or reasoning; nothing that ends, counts or fails.
  bool piece(const std::string& name, std::string_view data, Gathered& g) override {
    if (name == "error") return false;
    piece_.clear();
    JsonScan scan(data);
    if (!scan.members([&](std::string_view key) { return chunk_member(scan, key); }) || !scan.at_end() || !piece_.choices) return false;
    auto keep = [](std::string& field, const std::string& value) {
      if (!value.empty() && field != value) field = value;
    };
    keep(g.model, piece_.model);
    keep(g.fingerprint, piece_.fingerprint);
    keep(g.id, piece_.id);
    g.text += piece_.text;
    const std::string& reasoning = piece_.reasoning_content.empty() ? piece_.reasoning : piece_.reasoning_content;
    g.reasoning += reasoning;
    if (!piece_.text.empty() || !reasoning.empty()) g.payloads++;
    g.kept = g.text.size() + g.reasoning.size() + refusal_.size();
    return true;
  }

  void done_mark(Gathered& g) override { g.ended = g.ended || g.payloads > 0; }

  void whole(const Json& answer, Gathered& g) override {
    take(answer, "message", false, g);
    if (g.error) return;
    if (!get(answer, "choices").is_array() || get(answer, "choices").empty())
      g.error = error_of_ours(ApiFault::protocol, 200, "a JSON answer without \"choices\"", false);
    g.ended = true;
  }

  void assemble(Gathered& g) override {
    if (g.text.empty() && !refusal_.empty()) {
      g.text = refusal_;
      g.stop = Stop::refusal;
    }
    if (!think_tags_ || !g.reasoning.empty()) return;
    intake::Reasoning split = intake::strip_reasoning(g.text);
    if (!split.found || split.open) return;  // an open one is the extraction's to judge
    g.reasoning = trim(split.reasoning);
    g.text = std::string(split.answer.substr(std::min(split.answer.size(), split.answer.find_first_not_of("\r\n"))));
  }

 private:
  struct Piece {
    std::string model, fingerprint, id, text, reasoning, reasoning_content;
    bool choices = false;
    uint32_t seen = 0;  // keys, by bits
    void clear() {
      for (std::string* s : {&model, &fingerprint, &id, &text, &reasoning, &reasoning_content}) s->clear();
      choices = false;
      seen = 0;
    }
    // Of equal keys the last would count: such a chunk is not usual.
    bool first(int bit) {
      bool out = !(seen >> bit & 1);
      seen |= uint32_t(1) << bit;
      return out;
    }
  };

  bool chunk_member(JsonScan& scan, std::string_view key) {
    if (key == "choices") return piece_.first(0) && scan.elements([&] { return choice(scan); });
    if (key == "model") return piece_.first(1) && scan.string(piece_.model);
    if (key == "id") return piece_.first(2) && scan.string(piece_.id);
    if (key == "system_fingerprint") return piece_.first(3) && (scan.null() || scan.string(piece_.fingerprint));
    if (key == "usage" || key == "timings" || key == "error") return scan.null();
    if (key != "object") return scan.skip();
    std::string object;
    return scan.string(object) && object != "error";
  }

  bool choice(JsonScan& scan) {
    if (piece_.choices) return false;  // a second one
    piece_.choices = true;
    return scan.members([&](std::string_view key) {
      int64_t index = 0;
      if (key == "index") return scan.integer(index) && index == 0;
      if (key == "finish_reason") return scan.null();
      if (key == "delta") return piece_.first(4) && scan.members([&](std::string_view name) { return delta_member(scan, name); });
      return scan.skip();
    });
  }

  bool delta_member(JsonScan& scan, std::string_view key) {
    if (key == "content") return piece_.first(5) && (scan.null() || scan.string(piece_.text));
    if (key == "reasoning") return piece_.first(6) && (scan.null() || scan.string(piece_.reasoning));
    if (key == "reasoning_content") return piece_.first(7) && (scan.null() || scan.string(piece_.reasoning_content));
    if (key == "refusal" || key == "tool_calls" || key == "reasoning_details") return scan.null();
    return scan.skip();
  }

  void take(const Json& chunk, const char* part, bool error, Gathered& g) {
    const Json& said = get(chunk, "error");
    if (error || !said.is_null() || get_string(chunk, "object") == "error") {
      g.error = error_inside(200, said.is_null() ? chunk : said);
      return;
    }
    auto keep = [&](std::string& field, const char* key) {
      if (auto v = get_string(chunk, key); v && !v->empty()) field = *v;
    };
    keep(g.model, "model");
    keep(g.fingerprint, "system_fingerprint");
    keep(g.id, "id");
    if (get(chunk, "usage").is_object()) g.tokens.add_openai(get(chunk, "usage"));
    if (get(chunk, "timings").is_object()) g.tokens.add_timings(get(chunk, "timings"));
    for (const Json& choice : get(chunk, "choices")) {
      if (get_int(choice, "index").value_or(0) == 0) take_choice(choice, part, g);
      else other_choice(get(choice, part), g);
      if (g.error) return;
    }
  }

  void take_choice(const Json& choice, const char* part, Gathered& g) {
    const Json& delta = get(choice, part);
    size_t before = g.text.size() + g.reasoning.size() + refusal_.size();
    content(get(delta, "content"), g);
    reasoning(delta, g);
    if (auto r = get_string(delta, "refusal")) refusal_ += *r;
    const Json& tools = get(delta, "tool_calls");
    if (tools.is_array() && !tools.empty()) g.other_bytes += dump_json(tools).size();
    if (g.text.size() + g.reasoning.size() + refusal_.size() > before || (tools.is_array() && !tools.empty())) g.payloads++;
    g.kept = g.text.size() + g.reasoning.size() + refusal_.size();
    if (auto reason = get_string(choice, "finish_reason"); reason && !reason->empty()) finish(*reason, choice, g);
  }

  static void other_choice(const Json& delta, Gathered& g) {
    g.several = true;
    for (const char* key : {"content", "reasoning_content", "reasoning"})
      if (auto v = get_string(delta, key)) g.other_bytes += v->size();
  }

  // A string, null, or parts.
  static void content(const Json& value, Gathered& g) {
    if (value.is_string()) {
      g.text += value.get<std::string>();
      return;
    }
    if (!value.is_array()) return;
    for (const Json& part : value) {
      std::string type = get_string(part, "type").value_or("text");
      if (part.is_string()) g.text += part.get<std::string>();
      else if (type == "text" || type == "output_text") g.text += get_string(part, "text").value_or("");
      else if (type == "thinking" || type == "reasoning") {
        const Json& inner = get(part, "thinking").is_null() ? get(part, "text") : get(part, "thinking");
        if (inner.is_string()) g.reasoning += inner.get<std::string>();
        if (inner.is_array())
          for (const Json& piece : inner) g.reasoning += get_string(piece, "text").value_or("");
      }
    }
  }

  // The same words may come under two names at once; the first name that has any counts.
  static void reasoning(const Json& delta, Gathered& g) {
    for (const char* key : {"reasoning_content", "reasoning"})
      if (auto v = get_string(delta, key); v && !v->empty()) {
        g.reasoning += *v;
        return;
      }
    for (const Json& detail : get(delta, "reasoning_details"))
      g.reasoning += get_string(detail, "text").value_or(get_string(detail, "summary").value_or(""));
  }

  static void finish(const std::string& reason, const Json& choice, Gathered& g) {
    std::string word = lower_case(reason);
    if (word == "insufficient_system_resource" || word == "error") {  // DeepSeek ran out of machines; the provider behind a gateway failed
      g.error = error_of_ours(word == "error" ? ApiFault::http : ApiFault::overloaded, 200, "the server ended the reply: " + shown(reason, 200), true);
      return;
    }
    g.raw_stop = reason;
    g.stop = Stop::unknown;
    for (auto& [known, stop] : kStops)
      if (known == word) g.stop = stop;
    // vLLM and SGLang name the stop string; a number is a token that ends a turn.
    for (const char* key : {"stop_reason", "matched_stop"})
      if (g.stop == Stop::end && get(choice, key).is_string() && !get(choice, key).get<std::string>().empty()) g.stop = Stop::stop_sequence;
    g.ended = true;
  }

  bool think_tags_;
  std::string refusal_;
  Piece piece_;  // kept for its memory
};

}  // namespace

std::unique_ptr<Reading> openai_reading(bool think_tags) { return std::make_unique<OpenAiReading>(think_tags); }

}  // namespace kbx::llm
