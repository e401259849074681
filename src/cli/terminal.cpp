#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "cli/exit_code.h"

namespace kbx::cli {

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }
bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }
bool use_colour() { return stdout_is_terminal() && !std::getenv("NO_COLOR"); }

size_t terminal_width() {
  winsize size{};
  if (stderr_is_terminal() && ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col;
  return 120;
}

void print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}
void say(std::string_view text) {
  std::string line(text);  // may hold our own colours: what a candidate wrote went through shown()
  if (line.empty() || line.back() != '\n') line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}
int report_error(const Error& error) {
  say("kbx: " + shown(error.text()));  // names of candidates and files are in it
  return exit_code(error);
}

}  // namespace kbx::cli
