// HttpTry: one HTTP exchange of a call, on a handle of libcurl: its options, its callbacks, its deadlines, what it became.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "llm/client.h"
#include "llm/curl_library.h"
#include "llm/dialect.h"
#include "llm/secret.h"

namespace kbx::llm {

class HttpTry {
 public:
  // `handle` is fresh or reset, and used until the HttpTry is gone; it stays its owner's. `most_bytes`: of the body, after
  // decompression.
  HttpTry(const CurlLibrary& curl, CURL* handle, const Provider& provider, HttpRequest request, const Secret& key, std::unique_ptr<ReplyReader> reader,
          size_t most_bytes);
  ~HttpTry();
  HttpTry(const HttpTry&) = delete;
  HttpTry& operator=(const HttpTry&) = delete;

  CURL* handle() const { return handle_; }
  // A deadline has passed: to be ended by finish_late(). The connection's deadline is libcurl's.
  bool overdue(Steady::time_point now) const { return next_deadline() <= now; }
  Steady::time_point next_deadline() const;

  // Once, when libcurl says that it is over; when it is overdue; or when nobody wants it any more. Times but not `tries` are
  // filled in, and what it used where that can be known.
  ChatResult finish(CURLcode code, double unix_now);
  ChatResult finish_late(double unix_now);
  ChatResult finish_cancelled(double unix_now);

  bool was_sent() const;  // at least the request's head
  std::string said() const { return reader_->said(); }  // after an end without a reply
  int status() const { return status_; }
  const Headers& headers() const { return headers_; }
  std::vector<RawPiece>& pieces() { return pieces_; }
  double seconds() const { return seconds_since(begun_); }

 private:
  template <class T>
  void set(CURLoption option, T value) {
    curl_.curl_easy_setopt(handle_, option, value);
  }
  void set_request(HttpRequest request, const Secret& key);
  void set_connection(const Provider& provider);
  void header_line(std::string_view line);
  size_t take(std::string_view bytes);
  ChatResult timed(ChatResult result) const;
  ChatResult ended_by(ApiFault fault, std::string message, bool retryable, double unix_now);
  ApiError transport_error(CURLcode code) const;
  static size_t on_header(char* bytes, size_t size, size_t count, void* self);
  static curl_socket_t on_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
  static size_t on_body(char* bytes, size_t size, size_t count, void* self);

  const CurlLibrary& curl_;
  CURL* handle_;
  std::string host_;  // for messages
  Deadlines deadlines_;
  std::unique_ptr<ReplyReader> reader_;
  size_t most_bytes_;
  std::string body_;
  curl_slist* lines_ = nullptr;
  char words_[CURL_ERROR_SIZE] = {};
  int status_ = 0;
  bool head_done_ = false, too_large_ = false;
  Headers headers_;
  size_t header_bytes_ = 0, bytes_ = 0;
  int64_t payloads_ = 0;
  Steady::time_point begun_, last_payload_;
  double first_byte_ = 0, first_token_ = 0;
  std::vector<RawPiece> pieces_;
};

}  // namespace kbx::llm
