# Shared by the scripts in tools/: words and builds in a folder of their own. Sourced from the repository's root.
JOBS=${JOBS:-$(nproc)}

say() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }
die() { say "$*"; exit 1; }

# configure FOLDER CMAKE-ARGUMENT...: once; a second call with other arguments changes them.
configure() {
  local folder=$1; shift
  cmake -S . -B "$folder" -G Ninja -DKBX_PCH=ON "$@" > "$folder.log" 2>&1 || { cat "$folder.log"; die "cmake failed"; }
  rm -f "$folder.log"
}

# build FOLDER TARGET...: quiet unless it fails.
build() {
  local folder=$1; shift
  ninja -C "$folder" -j "$JOBS" "$@" > "$folder.log" 2>&1 || { grep -E -A5 'error|FAILED' "$folder.log" | head -60; die "the build failed: $folder.log"; }
  rm -f "$folder.log"
}

# configure_sanitized FOLDER SANITIZERS CMAKE-ARGUMENT...: by clang, which alone has libFuzzer and whose thread sanitizer
# copes with every kernel's address layout.
configure_sanitized() {
  local folder=$1 sanitizers=$2 clang=${CLANG:-19}; shift 2
  command -v "clang++-$clang" >/dev/null && ls /usr/lib/llvm-"$clang"/lib/clang/*/lib/linux/libclang_rt.fuzzer-x86_64.a >/dev/null 2>&1 ||
    die "clang $clang with its sanitizers is missing: apt-get install clang-$clang libclang-rt-$clang-dev"
  configure "$folder" -DCMAKE_C_COMPILER="clang-$clang" -DCMAKE_CXX_COMPILER="clang++-$clang" -DCMAKE_BUILD_TYPE=Debug \
    "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1 -D_GLIBCXX_ASSERTIONS" -DKBX_BENCH=OFF -DKBX_WERROR=OFF "-DKBX_SANITIZE=$sanitizers" "$@"
}
# The build that tools/fuzz and `tools/sanitize asan` share.
configure_asan() { configure_sanitized "$1" address,undefined,fuzzer-no-link -DKBX_FUZZ=ON; }
