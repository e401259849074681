"""llama.cpp's own server, as Debian ships it, on a port of this machine. Tests that need it skip loudly without it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parents[2] / "third_party" / "llama.cpp"


def command() -> list[str] | None:
    """How the server is started: $KBX_LLAMA_SERVER, what tools/setup unpacked (with its own libraries), or PATH."""
    own = os.environ.get("KBX_LLAMA_SERVER")
    if own:
        return [own]
    lib = HERE / "usr" / "lib" / "x86_64-linux-gnu"
    program = HERE / "usr" / "bin" / "llama-server"
    if program.exists():
        return [str(lib / "ld-linux-x86-64.so.2"), "--library-path", f"{lib}:{lib / 'llama'}", str(program)]
    found = shutil.which("llama-server")
    return [found] if found else None


def skip(why: str) -> None:
    """Exit code 77: ctest says that the test was skipped."""
    print(f"SKIPPED: {why}", file=sys.stderr)
    sys.exit(77)


def need() -> list[str]:
    """The command, or the end of this test."""
    try:
        import gguf  # noqa: F401
    except ImportError:
        skip("python has no package gguf; KBX_TEST_MODELS=1 tools/setup installs it")
    found = command()
    if not found:
        skip("there is no llama-server; KBX_TEST_MODELS=1 tools/setup fetches it")
    return found


def free_port() -> int:
    """One that nobody listens on now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """with Server(model) as s: s.port"""

    def __init__(self, model: Path, log: Path, slots: int = 4, extra: list[str] | None = None):
        self.port = free_port()
        self.log = log
        backends = HERE / "usr" / "lib" / "x86_64-linux-gnu" / "ggml" / "backends0"
        self.process = subprocess.Popen(
            [*need(), "-m", str(model), "--host", "127.0.0.1", "--port", str(self.port), "-np", str(slots), "-c", str(512 * slots), "-t", "1", "--no-webui", *(extra or [])],
            stdout=log.open("w"), stderr=subprocess.STDOUT,
            env=os.environ | ({"GGML_BACKEND_PATH": str(min(backends.glob("*x64.so")))} if backends.is_dir() else {}),
        )  # fmt: skip

    def __enter__(self) -> Server:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=2):
                    return self
            except OSError:
                time.sleep(0.1)
        tail = self.log.read_text(errors="replace")[-3000:]
        self.stop()
        raise RuntimeError(f"the server did not start:\n{tail}")

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends the process that this object started."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
