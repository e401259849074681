// A clock process that follows a script, for what a real one does only when a card breaks: dying, lying, being late.
#pragma once
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gpu/clock_process.h"

namespace kbx::gpu::testing {

// `body`: python that uses send(json, blob=b""), receive() -> (json, blob), card (the index asked for).
class ScriptedClock {
 public:
  explicit ScriptedClock(const std::string& body) {
    path_ = std::filesystem::temp_directory_path() / ("kbx-scripted-clock-" + std::to_string(::getpid()) + "-" + std::to_string(count_++));
    std::ofstream out(path_);
    out << R"(#!/usr/bin/python3
import json, os, socket, struct, sys, time
card = int(sys.argv[sys.argv.index("--card") + 1])
if "--connect" in sys.argv:
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(sys.argv[sys.argv.index("--connect") + 1])
else:
    sock = socket.socket(fileno=3)
def exactly(n):
    data = b""
    while len(data) < n:
        part = sock.recv(n - len(data))
        if not part: sys.exit(0)
        data += part
    return data
def send(value, blob=b"", magic=b"KBXC"):
    text = json.dumps(value).encode()
    sock.sendall(magic + struct.pack("<IQ", len(text), len(blob)) + text + blob)
def receive():
    head = exactly(16)
    n, m = struct.unpack("<IQ", head[4:])
    return json.loads(exactly(n)), exactly(m)
def hello(cards=1):
    send({"hello": {"protocol": 1, "nvml": True, "device": {"name": "Scripted", "uuid": "GPU-%d" % card, "cc": 90, "sms": 4, "cards": cards, "driver": "1"}}})
)" << body;
    out.close();
    ::chmod(path_.c_str(), 0755);
  }
  ~ScriptedClock() { std::filesystem::remove(path_); }
  ClockHome home() const { return {path_.string(), "", ""}; }

 private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

}  // namespace kbx::gpu::testing
