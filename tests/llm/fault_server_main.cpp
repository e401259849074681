// The fault server as a program: says its port on the first line, then serves until its standard input ends.
//   fault_server [PORT]
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "fault_scenarios.h"

int main(int count, char** arguments) {
  using namespace kbx::llm::faults;
  auto server = FaultServer::start(play, count > 1 ? std::atoi(arguments[1]) : 0);
  if (!server) {
    std::fprintf(stderr, "%s\n", server.error().text().c_str());
    return 2;
  }
  std::printf("%d\n", (*server)->port());
  std::fflush(stdout);
  char byte;
  while (read(0, &byte, 1) > 0) (*server)->forget();
  return 0;
}
