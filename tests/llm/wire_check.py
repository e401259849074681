#!/usr/bin/env python3
"""The transport as a program against real TLS, a proxy and the fault server: who is trusted, where the key goes.

tests/llm/wire_check.py ASK FAULT_SERVER     needs the program `openssl` (exit code 77 without it)
"""

import http.server
import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading

CANARY = "canary-9f3b1c77d2e84a60"
STREAM = (
    b'data: {"id":"1","model":"m-1","choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":"stop"}]}\n\n'
    b"data: [DONE]\n\n"
)


class Answer(http.server.BaseHTTPRequestHandler):
    """Answers every question with one short stream."""

    def do_POST(self):  # noqa: N802  the base class's name
        self.rfile.read(int(self.headers["content-length"]))
        self.server.asked += 1
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(STREAM)))
        self.end_headers()
        self.wfile.write(STREAM)

    def log_message(self, *_):
        """Silence."""


def tls_server(folder, names):
    """An HTTPS server whose own certificate is for `names`; its certificate is FOLDER/NAME.pem."""
    pem, key = (folder / f"{names.partition(chr(58))[0]}.{kind}" for kind in ("pem", "key"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test", "-addext", f"subjectAltName={names}"]
        + ["-keyout", key, "-out", pem],
        check=True,
        capture_output=True,
    )
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    server.asked = 0
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, pem


class Proxy(threading.Thread):
    """A proxy that knows CONNECT alone and keeps what it was told."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port, self.heads = self.listener.getsockname()[1], []
        self.start()

    def run(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        head = b""
        while b"\r\n\r\n" not in head:
            head += client.recv(65536)
        self.heads.append(head.decode())
        host, port = head.split()[1].decode().split(":")
        server = socket.create_connection((host, int(port)))
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        threading.Thread(target=self.copy, args=(server, client), daemon=True).start()
        self.copy(client, server)

    @staticmethod
    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Checks:
    """Runs the program, and counts what was checked."""

    def __init__(self, ask):
        self.ask_program, self.done, self.wrong = ask, 0, []

    def ask(self, *arguments, **environment):
        """(exit code, JSON or None, everything it printed)."""
        ran = subprocess.run(
            [self.ask_program, *map(str, arguments)], env=os.environ | {"KBX_ASK_KEY": CANARY} | environment, capture_output=True, text=True, timeout=120
        )
        return ran.returncode, json.loads(ran.stdout) if ran.stdout else None, ran.stdout + ran.stderr

    def expect(self, what, right, seen=""):
        self.done += 1
        if not right:
            self.wrong.append(f"{what}: {str(seen)[:400]}")


def check_tls(checks, folder):
    trusted, pem = tls_server(folder, "IP:127.0.0.1")
    url = f"https://127.0.0.1:{trusted.server_port}/v1"
    code, out, _ = checks.ask(url, "openai")
    error = (out or {}).get("error", {})
    checks.expect("an unknown authority is not trusted", code == 1 and error.get("fault") == "connect" and error.get("stops_provider"), out)
    checks.expect("and the error says what to do", "ca_bundle" in error.get("message", ""), out)
    checks.expect("and nothing was sent", trusted.asked == 0, trusted.asked)
    code, out, _ = checks.ask(url, "openai", pem)
    checks.expect("ca_bundle makes it trusted", code == 0 and out["reply"]["text"] == "hello", out)
    other, pem_of_other = tls_server(folder, "DNS:other.example")
    code, out, _ = checks.ask(f"https://127.0.0.1:{other.server_port}/v1", "openai", pem_of_other)
    checks.expect("a certificate of another name is not trusted", code == 1 and other.asked == 0, out)
    proxy = Proxy()
    code, out, _ = checks.ask(url, "openai", pem, f"http://127.0.0.1:{proxy.port}")
    checks.expect("a proxy is used", code == 0 and len(proxy.heads) == 1 and proxy.heads[0].startswith("CONNECT 127.0.0.1:"), (out, proxy.heads))
    checks.expect("and does not see the key", CANARY not in "".join(proxy.heads), proxy.heads)


def check_canary(checks, fault_server):
    with subprocess.Popen([fault_server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        base = f"http://127.0.0.1:{process.stdout.readline().strip()}"
        scenarios = ("ok", "echo", "echo-in-reply", "bad-key", "redirect", "html", "always-cut", "stands-still", "no-such-scenario")
        for dialect, path in (("openai", "/v1"), ("anthropic", "")):
            for scenario in scenarios:
                code, out, printed = checks.ask(f"{base}/{scenario}{path}", dialect)
                checks.expect(f"{dialect} {scenario} ends", code in (0, 1) and out, printed)
                checks.expect(f"{dialect} {scenario} keeps the key to itself", CANARY not in printed, printed)
        dead = "http://127.0.0.1:9"
        code, _, printed = checks.ask(f"{base}/ok/v1", "openai", http_proxy=dead, all_proxy=dead)
        checks.expect("a server on this machine is asked without the environment's proxy", code == 0, printed)
        process.stdin.close()
        process.wait(timeout=30)


def check_refusals(checks):
    code, _, printed = checks.ask("http://127.0.0.1:9/v1", "openai", KBX_LIBCURL="/nowhere/libcurl.so")
    checks.expect("without libcurl one error says what to install", code == 3 and "libcurl4" in printed, printed)
    code, _, printed = checks.ask("http://10.0.0.1/v1", "openai")
    checks.expect("http to another machine is refused", code == 3 and "in the clear" in printed, printed)
    code, _, printed = checks.ask("http://127.0.0.1:9/v1", "openai", KBX_ASK_KEY="")
    checks.expect("a missing key is named by its variable", code == 3 and "KBX_ASK_KEY is not set" in printed, printed)


def main():
    if not shutil.which("openssl"):
        print("skipped: no openssl")
        return 77
    checks = Checks(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        check_tls(checks, pathlib.Path(folder))
    check_canary(checks, sys.argv[2])
    check_refusals(checks)
    print(f"{checks.done} checks, {len(checks.wrong)} wrong")
    for line in checks.wrong:
        print("  " + line)
    return 1 if checks.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
