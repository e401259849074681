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
