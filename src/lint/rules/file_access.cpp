// file_access: a kernel reads and writes tensors, not files.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr std::string_view kFile = "reads or writes files";
constexpr std::string_view kFd = "works on raw file descriptors";
constexpr auto R = Severity::reject;

constexpr NamePattern kNames[] = {
    {"builtins.open", R, "opens a file"},
    {"io.FileIO", R, kFile},
    {"io.open_code", R, kFile},
    {"codecs.open", R, kFile},
    {"shutil", R, kFile},
    {"tempfile", R, kFile},
    {"glob", R, kFile},
    {"fileinput", R, kFile},
    {"zipfile", R, kFile},
    {"tarfile", R, kFile},
    {"gzip", R, kFile},
    {"bz2", R, kFile},
    {"lzma", R, kFile},
    {"sqlite3", R, kFile},
    {"shelve", R, kFile},
    {"dbm", R, kFile},
    {"h5py", R, kFile},
    {"safetensors", R, kFile},
    {"fcntl", R, kFd},
    {"termios", R, kFd},
    {"select", R, kFd},
    {"selectors", R, kFd},
    {"linecache", R, kFile},
    {"logging.FileHandler", R, kFile},
    {"logging.handlers", R, kFile},
    {"torch.save", R, kFile},
    {"torch.load", R, kFile},
    {"torch.serialization", R, kFile},
    {"torch.jit.load", R, kFile},
    {"torch.jit.save", R, kFile},
    {"numpy.save", R, kFile},
    {"numpy.savez", R, kFile},
    {"numpy.savez_compressed", R, kFile},
    {"numpy.load", R, kFile},
    {"numpy.savetxt", R, kFile},
    {"numpy.loadtxt", R, kFile},
    {"numpy.genfromtxt", R, kFile},
    {"numpy.fromfile", R, kFile},
    {"numpy.memmap", R, kFile},
    {"multiprocessing.shared_memory", R, "shares memory with other processes"},
    {"pickle.dump", R, kFile},
    {"pathlib", Severity::note, "names files"},
    {"os.open", R, kFd},
    {"os.fdopen", R, kFd},
    {"os.read", R, kFd},
    {"os.write", R, kFd},
    {"os.pread", R, kFd},
    {"os.pwrite", R, kFd},
    {"os.readv", R, kFd},
    {"os.writev", R, kFd},
    {"os.dup", R, kFd},
    {"os.dup2", R, kFd},
    {"os.pipe", R, kFd},
    {"os.pipe2", R, kFd},
    {"os.close", R, kFd},
    {"os.closerange", R, kFd},
    {"os.lseek", R, kFd},
    {"os.ftruncate", R, kFd},
    {"os.sendfile", R, kFd},
    {"os.memfd_create", R, kFd},
    {"os.eventfd", R, kFd},
    {"os.fstat", R, kFd},
    {"os.remove", R, kFile},
    {"os.unlink", R, kFile},
    {"os.rename", R, kFile},
    {"os.replace", R, kFile},
    {"os.mkdir", R, kFile},
    {"os.makedirs", R, kFile},
    {"os.rmdir", R, kFile},
    {"os.removedirs", R, kFile},
    {"os.listdir", R, kFile},
    {"os.scandir", R, kFile},
    {"os.walk", R, kFile},
    {"os.chmod", R, kFile},
    {"os.chown", R, kFile},
    {"os.link", R, kFile},
    {"os.symlink", R, kFile},
    {"os.readlink", R, kFile},
    {"os.truncate", R, kFile},
    {"os.mkfifo", R, kFile},
    {"os.mknod", R, kFile},
    {"os.chdir", R, "changes the working folder"},
    {"os.umask", R, kFile},
    {"os.utime", R, kFile},
    {"sys.stdin", R, "reads standard input"},
    {"sys.__stdout__", R, kFd},
    {"sys.__stderr__", R, kFd},
    {"sys.stdout.fileno", R, kFd},
    {"sys.stdout.buffer", R, kFd},
    {"sys.stderr.fileno", R, kFd},
    {"sys.stdout.close", R, kFd},
};

constexpr std::string_view kPathMethods[] = {".open",   ".read_text", ".read_bytes", ".write_text",  ".write_bytes",
                                             ".unlink", ".rename",    ".replace",    ".mkdir",       ".rmdir",
                                             ".touch",  ".chmod",     ".symlink_to", ".hardlink_to", ".iterdir",
                                             ".glob",   ".rglob",     ".readlink"};

void check(const Context& context, Report& report) {
  check_names(context, report, kNames);
  for (const Reference& r : context.references)
    for (const std::string& name : r.names) {
      // Only a call: in code with errors `input` is a parameter that got lost more often than the builtin.
      if (name == "builtins.input" && r.call != kNoNode)
        report.add(r.node, name + " reads standard input", Severity::warn);
      for (std::string_view method : kPathMethods)
        if (matches("pathlib", name) && name.size() > method.size() &&
            name.substr(name.size() - method.size()) == method)
          report.add(r.node, name + " reads or writes files");
    }
}

}  // namespace

constinit const Rule file_access = {
    "file_access",
    Severity::reject,
    "`open`, file functions of os, pathlib, shutil, tempfile, numpy and torch, raw file descriptors, standard input",
    "a kernel works on tensors; files could bring answers in, carry them to another run, or forge what the judge reads",
    "`os.path.join`, `os.getcwd()`, `sys.stdout.write`, `print`, `import pathlib` (a note), a variable "
    "`open_interval`, methods named `open`",
    check};

}  // namespace kbx::lint::rules
