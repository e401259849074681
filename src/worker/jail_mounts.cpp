// What a child sees of the file system.
#include "worker/jail_mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace kbx::worker {
namespace {

constexpr int kRecursive = 0x8000;          // AT_RECURSIVE
constexpr long kMountSetattr = 442;         // SYS_mount_setattr, the same number on every architecture
constexpr uint64_t kAttributeReadonly = 1;  // MOUNT_ATTR_RDONLY
constexpr uint64_t kAttributeNosuid = 2;    // MOUNT_ATTR_NOSUID
constexpr int kMaxKept = 32;
constexpr size_t kMaxPath = 512;
struct MountAttributes {
  uint64_t set, clear, propagation, user_ns;
};

JailFailure failure(JailStep step) { return {step, errno}; }

struct Owned {
  unsigned uid;
  uint64_t bytes;
  const char* mode;
};

bool mount_tmpfs(const char* path, const Owned& how, unsigned long flags) {
  char options[128];
  snprintf(options, sizeof options, "mode=%s,size=%llu,nr_inodes=262144,uid=%u,gid=%u", how.mode,  // empty files cost memory, too
           static_cast<unsigned long long>(how.bytes), how.uid, how.uid);
  return mount("tmpfs", path, "tmpfs", flags | MS_NOSUID | MS_NODEV, options) == 0;
}

// Copies the next part of a ':' list into `path`; false at its end. Too long a part is skipped.
bool next_path(const char*& list, char (&path)[kMaxPath]) {
  while (list && *list) {
    const char* end = strchrnul(list, ':');
    const size_t size = static_cast<size_t>(end - list);
    const char* from = list;
    list = *end ? end + 1 : end;
    if (size == 0 || size >= kMaxPath) continue;
    memcpy(path, from, size);
    path[size] = 0;
    return true;
  }
  return false;
}

bool inside(const char* path, const char* folder) {
  const size_t size = strlen(folder);
  return strncmp(path, folder, size) == 0 && path[size] == '/';
}

// Folders above and at `path`, as far as they are missing.
void make_folders(char* path, bool directory) {
  for (char* at = path + 1; *at; ++at) {
    if (*at != '/') continue;
    *at = 0;
    mkdir(path, 0755);
    *at = '/';
  }
  if (directory)
    mkdir(path, 0755);
  else if (const int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0444); fd >= 0)
    close(fd);
}

struct Kept {
  int fd;
  bool directory;
  char path[kMaxPath];
};

// Opens what has to reappear below `folder` before an empty tmpfs covers it.
int open_kept(const char* list, const char* folder, Kept (&kept)[kMaxKept]) {
  int count = 0;
  char path[kMaxPath];
  while (count < kMaxKept && next_path(list, path)) {
    if (!inside(path, folder)) continue;
    const int fd = open(path, O_PATH | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0) continue;
    kept[count].fd = fd;
    kept[count].directory = S_ISDIR(info.st_mode);
    memcpy(kept[count].path, path, kMaxPath);
    ++count;
  }
  return count;
}

JailFailure hide_folder(const char* folder, const char* keep, unsigned owner) {
  struct stat info;
  if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) return {};
  static Kept kept[kMaxKept];  // too large for the stack of a small thread; the process is single-threaded and its own
  const int count = open_kept(keep, folder, kept);
  if (!mount_tmpfs(folder, {owner, 1u << 20, "0755"}, 0)) return failure(JailStep::hide);
  for (int k = 0; k < count; ++k) {
    make_folders(kept[k].path, kept[k].directory);
    char source[32];
    snprintf(source, sizeof source, "/proc/self/fd/%d", kept[k].fd);
    if (mount(source, kept[k].path, nullptr, MS_BIND | MS_REC, nullptr) != 0) return failure(JailStep::hide);
    close(kept[k].fd);
  }
  if (mount(nullptr, folder, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) != 0)
    return failure(JailStep::hide);
  return {};
}

}  // namespace

JailFailure arrange_mounts(const JailRequest& r, unsigned owner) {
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return failure(JailStep::private_mounts);
  if (r.flags & kJailReadonly) {
    MountAttributes attributes{kAttributeReadonly | kAttributeNosuid, 0, 0, 0};
    if (syscall(kMountSetattr, AT_FDCWD, "/", kRecursive, &attributes, sizeof attributes) != 0)
      return failure(JailStep::readonly);
    // The id maps of the user namespace are still to be written; nobody can write elsewhere there.
    MountAttributes writable{0, kAttributeReadonly, 0, 0};
    if (mounts_before_drop(r)) syscall(kMountSetattr, AT_FDCWD, "/proc", 0, &writable, sizeof writable);
  }
  if (r.flags & kJailHide) {
    const char* list = r.hide;
    char folder[kMaxPath];
    while (next_path(list, folder)) {
      if (JailFailure f = hide_folder(folder, r.keep, owner); f.failed()) return f;
    }
  }
  if (!mount_tmpfs(r.folder, {owner, r.tmpfs_bytes, "0700"}, 0)) return failure(JailStep::tmpfs);
  mount_tmpfs("/dev/shm", {owner, 16u << 20, "0700"},
              MS_NOEXEC);  // semaphores of multiprocessing; absent on some machines
  return {};
}

}  // namespace kbx::worker
