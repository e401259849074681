// Result<T>: the road for failures of the harness or the world (a bad file, a full disk, a fork that failed).
// A candidate's failure is never an Error: it is data. kbx does not throw; a library's exceptions are caught in
// the file that wraps the library. KBX_TRY adds no text; with_context() adds one "while ..." line a room.
#pragma once
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace kbx {

// Whose road it is and what the exit code becomes.
enum class Code {
  usage,    // the person's input: flags, files, TOML (exit 2)
  io,       // files, sockets, disk
  sandbox,  // fork server, namespaces, a worker that could not be started
  python,   // the user's python, torch or triton cannot do what is needed
  store,    // SQLite
  internal  // anything else that is ours
};

struct Error {
  Code code = Code::internal;
  std::string message;               // what, where, what to do
  std::vector<std::string> context;  // innermost first

  std::string text() const;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Code code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message), {}});
}
// fail() with errno's text appended.
tl::unexpected<Error> fail_errno(Code code, std::string message);
Error with_context(Error error, std::string line);

}  // namespace kbx

#define KBX_CONCAT2(a, b) a##b
#define KBX_CONCAT(a, b) KBX_CONCAT2(a, b)
// KBX_TRY(expr): returns the error of a Result<void>-like expression.
#define KBX_TRY(expr)                                            \
  do {                                                           \
    auto kbx_result = (expr);                                    \
    if (!kbx_result) return tl::unexpected(std::move(kbx_result.error())); \
  } while (false)
// KBX_TRY_ASSIGN(auto x, expr): returns the error, or binds the value.
#define KBX_TRY_ASSIGN(lhs, expr)                                          \
  auto KBX_CONCAT(kbx_result_, __LINE__) = (expr);                         \
  if (!KBX_CONCAT(kbx_result_, __LINE__))                                  \
    return tl::unexpected(std::move(KBX_CONCAT(kbx_result_, __LINE__).error())); \
  lhs = std::move(*KBX_CONCAT(kbx_result_, __LINE__))
