// Starts a program that kbx talks to over a socket.
#pragma once
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace kbx {

struct ProcessStart {
  std::vector<std::string> words;                       // words[0] is the program
  std::optional<std::vector<std::string>> environment;  // nullopt = ours
  int socket = -1;                                      // becomes its descriptor 3; -1 = none. The caller closes its own
  std::optional<std::string> output;                    // file for what it says, appended to; nullopt = where ours goes
};

// Standard input is empty, and its process group is its own: Ctrl-C in the terminal is for kbx alone. Error: `code`.
Result<pid_t> start_process(ProcessStart start, Code code);

}  // namespace kbx
