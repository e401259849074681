// The engine's version: part of every job key. Raise it when a change could alter old verdicts (CHANGELOG says so).
#pragma once

namespace kbx {
inline constexpr const char* kEngineVersion = "0.5.0";
}
