// What a child sees of the file system: everything read-only, some folders emptied, one private tmpfs.
#pragma once
#include "worker/jail.h"

namespace kbx::worker {

// A root that becomes nobody arranges its mounts first, in a mount namespace of its own: nobody could not look into
// folders that only root may enter. The user namespace then gets a second mount namespace, where all of it is locked.
inline bool mounts_before_drop(const JailRequest& r) {
  return (r.flags & kJailMount) && (r.flags & kJailDropUid) && (r.flags & kJailUser);
}

// In a mount namespace of the caller's own. The tmpfs belongs to `owner`.
JailFailure arrange_mounts(const JailRequest& request, unsigned owner);

}  // namespace kbx::worker
