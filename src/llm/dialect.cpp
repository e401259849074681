#include "llm/dialect.h"

#include <array>

#include "base/text.h"
#include "llm/api_error.h"
#include "llm/encode.h"
#include "llm/http_words.h"
#include "llm/readings.h"

namespace kbx::llm {
namespace {

std::string without_slash(std::string url) {
  while (ends_with(url, "/")) url.pop_back();
  return url;
}

bool has_path(const std::string& url) {
  size_t host = url.find("://");
  return host != url.npos && url.find('/', host + 3) != url.npos;
}

Result<void> check_url(const Provider& provider) {
  if (starts_with(provider.base_url, "https://") || starts_with(provider.base_url, "http://")) return {};
  return fail(Code::usage, "provider \"" + provider.name + "\": base_url \"" + provider.base_url + "\" must begin with https:// (or http:// for this machine)");
}

class AnthropicDialect : public Dialect {
 public:
  Result<HttpRequest> encode(const ChatRequest& request, const Provider& provider, const Model& model) const override {
    KBX_TRY(check_url(provider));
    KBX_TRY_ASSIGN(Encoding e, anthropic_body(request, model, true));
    std::string base = without_slash(provider.base_url);
    HttpRequest out;
    out.url = base + (ends_with(base, "/v1") ? "/messages" : "/v1/messages");
    out.headers = {{"content-type", "application/json"}, {"accept", "text/event-stream"}, {"anthropic-version", "2023-06-01"}};
    out.key_header = "x-api-key";
    out.body = dump_json(e.body);
    out.left_out = std::move(e.left_out);
    return out;
  }

  std::unique_ptr<ReplyReader> reader(const ChatRequest& request) const override {
    return std::make_unique<BodyReader>(anthropic_reading(), estimate_input(request));
  }

  Result<Json> batch_line(const ChatRequest& request, const Provider&, const Model& model, const std::string& custom_id) const override {
    KBX_TRY_ASSIGN(Encoding e, anthropic_body(request, model, false));
    return Json{{"custom_id", custom_id}, {"params", std::move(e.body)}};
  }

  ChatResult batch_result(const Json& line, std::string* custom_id) const override {
    *custom_id = get_string(line, "custom_id").value_or("");
    const Json& result = get(line, "result");
    std::string type = get_string(result, "type").value_or("");
    if (type == "succeeded") return result_of_json(*anthropic_reading(), get(result, "message"));
    if (type == "canceled") return error_of_ours(ApiFault::cancelled, 0, "the batch was cancelled before this call", true);
    if (type == "expired") return error_of_ours(ApiFault::timeout, 0, "the batch expired before this call", true);
    if (type == "errored") {
      const Json& outer = get(result, "error");
      return error_inside(0, get(outer, "error").is_null() ? outer : get(outer, "error"));
    }
    return error_of_ours(ApiFault::protocol, 0, "a batch result of unknown type \"" + shown(type, 100) + "\"", false);
  }
};

class OpenAiDialect : public Dialect {
 public:
  explicit OpenAiDialect(DialectName name) : name_(name) {}

  Result<HttpRequest> encode(const ChatRequest& request, const Provider& provider, const Model& model) const override {
    KBX_TRY(check_url(provider));
    KBX_TRY_ASSIGN(Encoding e, openai_body(name_, request, model, true));
    std::string base = without_slash(provider.base_url);
    // A bare host is meant with its usual path; DeepSeek's serves it without.
    if (name_ != DialectName::deepseek && !has_path(base)) base += "/v1";
    HttpRequest out;
    out.url = base + "/chat/completions";
    out.headers = {{"content-type", "application/json"}, {"accept", "text/event-stream"}};
    out.key_header = "authorization";
    out.key_prefix = "Bearer ";
    out.body = dump_json(e.body);
    out.left_out = std::move(e.left_out);
    return out;
  }

  std::unique_ptr<ReplyReader> reader(const ChatRequest& request) const override {
    return std::make_unique<BodyReader>(reading(), estimate_input(request));
  }

  Result<Json> batch_line(const ChatRequest& request, const Provider&, const Model& model, const std::string& custom_id) const override {
    KBX_TRY_ASSIGN(Encoding e, openai_body(name_, request, model, false));
    return Json{{"custom_id", custom_id}, {"method", "POST"}, {"url", "/v1/chat/completions"}, {"body", std::move(e.body)}};
  }

  ChatResult batch_result(const Json& line, std::string* custom_id) const override {
    *custom_id = get_string(line, "custom_id").value_or("");
    const Json &response = get(line, "response"), &error = get(line, "error");
    if (response.is_object()) {
      int status = int(get_int(response, "status_code").value_or(200));
      if (status >= 200 && status < 300) return result_of_json(*reading(), get(response, "body"));
      return error_of_answer(status, {}, dump_json(get(response, "body")), 0);
    }
    std::string code = get_string(error, "code").value_or("");
    if (code == "batch_expired") return error_of_ours(ApiFault::timeout, 0, "the batch expired before this call", true);
    if (code == "batch_cancelled") return error_of_ours(ApiFault::cancelled, 0, "the batch was cancelled before this call", true);
    if (!error.is_null()) return error_inside(0, error);
    return error_of_ours(ApiFault::protocol, 0, "a batch result with neither response nor error", false);
  }

 private:
  std::unique_ptr<Reading> reading() const { return openai_reading(openai_fields(name_).think_tags); }
  DialectName name_;
};

}  // namespace

const Dialect& dialect_of(DialectName name) {
  static const AnthropicDialect anthropic;
  static const std::array<OpenAiDialect, 7> openai{{OpenAiDialect(DialectName::openai), OpenAiDialect(DialectName::deepseek), OpenAiDialect(DialectName::vllm),
                                                    OpenAiDialect(DialectName::sglang), OpenAiDialect(DialectName::llamacpp),
                                                    OpenAiDialect(DialectName::transformers), OpenAiDialect(DialectName::gateway)}};
  if (name == DialectName::anthropic) return anthropic;
  return openai.at(size_t(name) - size_t(DialectName::openai));
}

}  // namespace kbx::llm
