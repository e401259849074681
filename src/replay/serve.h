// The replay worker: what a process that plays tapes does with its socket, in the frames of docs/wire.md. Called in a
// process that the zygote forked and jailed; no Python runs from then on.
#pragma once

namespace kbx::replay {

// Answers frames until `finish`; 0 = the conversation ended as it should. Owns neither descriptor.
int serve(int socket_fd, int arena_fd);

}  // namespace kbx::replay

// For the zygote, through ctypes.
extern "C" __attribute__((visibility("default"))) int kbx_replay_serve(int socket_fd, int arena_fd);
