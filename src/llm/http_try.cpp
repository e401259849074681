#include "llm/http_try.h"

#include <fmt/format.h>
#include <string.h>  // explicit_bzero
#include <sys/socket.h>

#include <algorithm>

#include "base/text.h"
#include "llm/api_error.h"
#include "llm/http_words.h"
#include "llm/registry.h"

namespace kbx::llm {
namespace {

constexpr size_t kMostHeaderBytes = 256 * 1024;

std::string origin_of(const std::string& url) {
  size_t at = url.find("://");
  return url.substr(0, at == url.npos ? url.npos : url.find('/', at + 3));
}

Steady::duration of_seconds(double s) { return std::chrono::duration_cast<Steady::duration>(Seconds(s)); }

}  // namespace

HttpTry::HttpTry(const CurlLibrary& curl, CURL* handle, const Provider& provider, HttpRequest request, const Secret& key,
                 std::unique_ptr<ReplyReader> reader, size_t most_bytes)
    : curl_(curl), handle_(handle), host_(origin_of(request.url)), deadlines_(provider.deadlines), reader_(std::move(reader)), most_bytes_(most_bytes) {
  set_request(std::move(request), key);
  set_connection(provider);
  begun_ = last_payload_ = Steady::now();
}

HttpTry::~HttpTry() {
  curl_.curl_easy_reset(handle_);
  if (!lines_) return;
  for (curl_slist* line = lines_; line; line = line->next) explicit_bzero(line->data, std::char_traits<char>::length(line->data));  // the key
  curl_.curl_slist_free_all(lines_);
}

void HttpTry::set_request(HttpRequest request, const Secret& key) {
  auto line = [&](std::string text) {
    lines_ = curl_.curl_slist_append(lines_, text.c_str());
    explicit_bzero(text.data(), text.size());  // it may hold the key
  };
  for (const auto& [name, value] : request.headers) line(name + ": " + value);
  if (!key.empty() && !request.key_header.empty()) line(request.key_header + ": " + request.key_prefix + key.reveal());
  line("Expect:");  // no round trip before the body is sent
  body_ = std::move(request.body);
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_POST, 1L);
  set(CURLOPT_POSTFIELDS, body_.data());
  set(CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body_.size()));
  set(CURLOPT_HTTPHEADER, lines_);
  set(CURLOPT_USERAGENT, "kbx");
}

void HttpTry::set_connection(const Provider& provider) {
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_ERRORBUFFER, words_);
  set(CURLOPT_HTTP_VERSION, long(CURL_HTTP_VERSION_1_1));  // one stalled stream must not stall its neighbours
  set(CURLOPT_ACCEPT_ENCODING, "");
  set(CURLOPT_FOLLOWLOCATION, 0L);  // a redirect would carry the key elsewhere
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  set(CURLOPT_TCP_KEEPALIVE, 1L);
  set(CURLOPT_CONNECTTIMEOUT_MS, long(std::clamp(deadlines_.connect, 0.0, 1e6) * 1000));
  if (!provider.ca_bundle.empty()) set(CURLOPT_CAINFO, provider.ca_bundle.c_str());
  if (!provider.proxy.empty()) set(CURLOPT_PROXY, provider.proxy.c_str());
  else if (is_loopback(provider.base_url)) set(CURLOPT_NOPROXY, "*");
  set(CURLOPT_OPENSOCKETFUNCTION, &HttpTry::on_socket);
  set(CURLOPT_HEADERFUNCTION, &HttpTry::on_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_WRITEFUNCTION, &HttpTry::on_body);
  set(CURLOPT_WRITEDATA, this);
}

size_t HttpTry::on_header(char* bytes, size_t size, size_t count, void* self) {
  auto& me = *static_cast<HttpTry*>(self);
  me.header_bytes_ += size * count;
  if (me.header_bytes_ > kMostHeaderBytes) return 0;  // ends the transfer
  me.header_line(std::string_view(bytes, size * count));
  return size * count;
}

size_t HttpTry::on_body(char* bytes, size_t size, size_t count, void* self) { return static_cast<HttpTry*>(self)->take(std::string_view(bytes, size * count)); }

// No connection may pass into a process that kbx starts: model's code runs in some.
curl_socket_t HttpTry::on_socket(void*, curlsocktype, curl_sockaddr* address) { return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol); }

void HttpTry::header_line(std::string_view line) {
  if (head_done_) return;  // trailers
  std::string text = trim(line);
  if (starts_with(text, "HTTP/")) {  // of a 1xx first, then of the answer
    headers_.clear();
    size_t space = text.find(' ');
    status_ = space == text.npos ? 0 : std::atoi(text.c_str() + space + 1);
  } else if (text.empty()) {
    head_done_ = status_ >= 200;
    if (head_done_) reader_->headers(status_, headers_);
  } else if (size_t colon = text.find(':'); colon != text.npos) {
    headers_.emplace_back(lower_case(trim(std::string_view(text).substr(0, colon))), trim(std::string_view(text).substr(colon + 1)));
  }
}

size_t HttpTry::take(std::string_view bytes) {
  bytes_ += bytes.size();
  too_large_ = bytes_ > most_bytes_;
  if (too_large_) return 0;
  double at = seconds();
  if (pieces_.empty()) first_byte_ = at;
  pieces_.push_back({at, std::string(bytes)});
  reader_->feed(bytes);
  if (int64_t now = reader_->payloads(); now != payloads_) {
    if (payloads_ == 0) first_token_ = at;
    payloads_ = now;
    last_payload_ = Steady::now();
  }
  return bytes.size();
}

Steady::time_point HttpTry::next_deadline() const {
  auto out = Steady::time_point::max();
  auto limit = [&](Steady::time_point from, double s) {
    if (s > 0) out = std::min(out, from + of_seconds(s));
  };
  limit(begun_, deadlines_.total);
  if (payloads_ == 0) limit(begun_, deadlines_.first_token);
  else limit(last_payload_, deadlines_.idle);
  return out;
}

ChatResult HttpTry::timed(ChatResult result) const {
  if (auto* reply = std::get_if<ChatReply>(&result)) {
    double total = seconds();
    reply->timing = {first_byte_, first_token_ > 0 ? first_token_ : total, total, 1};
  }
  return result;
}

ChatResult HttpTry::finish(CURLcode code, double unix_now) {
  if (code == CURLE_OK) return timed(reader_->finish(true, unix_now));
  ApiError error = transport_error(code);
  if (!head_done_) return error;
  ChatResult result = reader_->finish(false, unix_now);  // what came decides
  auto* read = std::get_if<ApiError>(&result);
  if (!read) return timed(std::move(result));
  if (read->http && !(read->http >= 200 && read->http < 300)) return result;
  error.http = status_;
  error.usage = read->usage;
  return error;
}

ChatResult HttpTry::ended_by(ApiFault fault, std::string message, bool retryable, double unix_now) {
  ApiError error = error_of_ours(fault, status_, std::move(message), retryable);
  if (!head_done_) return error;
  ChatResult result = reader_->finish(false, unix_now);
  auto* read = std::get_if<ApiError>(&result);
  if (!read) return timed(std::move(result));  // the reply was whole, the server only did not close
  error.usage = read->usage;
  return error;
}

ChatResult HttpTry::finish_late(double unix_now) {
  double total = seconds();
  if (deadlines_.total > 0 && total >= deadlines_.total) return ended_by(ApiFault::timeout, fmt::format("no end of the reply within {:g} s (total_seconds)", deadlines_.total), true, unix_now);
  if (payloads_ == 0) return ended_by(ApiFault::timeout, fmt::format("no text within {:g} s (first_token_seconds)", deadlines_.first_token), true, unix_now);
  return ended_by(ApiFault::timeout, fmt::format("the reply stood still for {:g} s (idle_seconds)", deadlines_.idle), true, unix_now);
}

ChatResult HttpTry::finish_cancelled(double unix_now) {
  ChatResult result = ended_by(ApiFault::cancelled, "cancelled", false, unix_now);
  auto* reply = std::get_if<ChatReply>(&result);
  if (!reply) return result;
  ApiError error = error_of_ours(ApiFault::cancelled, status_, "cancelled", false);  // it had all come, but nobody wants it
  error.usage = reply->usage;
  return error;
}

bool HttpTry::was_sent() const {
  long bytes = 0;
  curl_.curl_easy_getinfo(handle_, CURLINFO_REQUEST_SIZE, &bytes);
  return bytes > 0;
}

ApiError HttpTry::transport_error(CURLcode code) const {
  ApiError e;
  e.fault = ApiFault::cut;
  e.retryable = true;
  std::string words = words_[0] ? words_ : curl_.curl_easy_strerror(code);
  e.message = fmt::format("{}: {}", host_, words);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
      e.fault = ApiFault::connect;
      break;
    case CURLE_OPERATION_TIMEDOUT:
      e.fault = ApiFault::timeout;
      e.message = fmt::format("no connection to {} within {:g} s (connect_seconds)", host_, deadlines_.connect);
      break;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
      e.fault = ApiFault::connect;
      e.retryable = false;
      e.stops_provider = true;
      e.message = fmt::format("{} does not prove who it is ({}); a server or proxy with its own authority needs ca_bundle", host_, words);
      break;
    case CURLE_WRITE_ERROR:
      if (!too_large_ && header_bytes_ <= kMostHeaderBytes) break;
      e.fault = ApiFault::protocol;
      e.retryable = false;
      e.message = too_large_ ? fmt::format("{} sent more than {} MiB", host_, most_bytes_ >> 20)
                             : fmt::format("{} sent more than {} KiB of headers", host_, kMostHeaderBytes >> 10);
      break;
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_URL_MALFORMAT:
      e.fault = ApiFault::protocol;
      e.retryable = code == CURLE_BAD_CONTENT_ENCODING || code == CURLE_WEIRD_SERVER_REPLY;
      break;
    default:
      break;
  }
  return e;
}

}  // namespace kbx::llm
