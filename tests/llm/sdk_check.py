#!/usr/bin/env python3
"""The vendors' own SDKs against our fault server: shows that the server speaks their protocols as they do.

tests/llm/sdk_check.py FAULT_SERVER [--install]

Needs the packages `openai` and `anthropic` in this python, in the one that KBX_SDK_PYTHON names, or in sdks/ beside the
server; --install makes that folder. Exit code 77 (skipped) where they are not.
"""

import os
import pathlib
import subprocess
import sys

TEXT = "Gr\u00fc\u00dfe \U0001f680"
PACKAGES = ("openai", "anthropic")
ASK = [{"role": "user", "content": "Write a softmax."}]


def has_packages(python):
    """Whether that interpreter can import both SDKs."""
    return pathlib.Path(python).exists() and subprocess.run([python, "-c", "import openai, anthropic"], capture_output=True).returncode == 0


def find_python(server, install):
    """An interpreter with the SDKs, or None."""
    own = server.parent / "sdks" / "bin" / "python"
    for python in (os.environ.get("KBX_SDK_PYTHON", ""), sys.executable, str(own)):
        if python and has_packages(python):
            return python
    if not install:
        return None
    subprocess.run([sys.executable, "-m", "venv", str(server.parent / "sdks")], check=True)
    subprocess.run([str(own), "-m", "pip", "install", "-q", *PACKAGES], check=True)
    return str(own)


class Anthropic:
    """Anthropic's SDK: one question in the two ways of asking."""

    def __init__(self, url, **options):
        import anthropic

        self.module = anthropic
        self.client = anthropic.Anthropic(base_url=url, api_key="k", **options)

    def ask(self):
        reply = self.client.messages.create(model="m-1", max_tokens=100, messages=ASK)
        return reply.content[0].text, reply.usage.input_tokens, reply.usage.output_tokens, reply.stop_reason == "end_turn"

    def stream(self):
        with self.client.messages.stream(model="m-1", max_tokens=100, messages=ASK) as events:
            reply = events.get_final_message()
        text = "".join(block.text for block in reply.content if block.type == "text")
        return text, reply.usage.input_tokens, reply.usage.output_tokens, reply.stop_reason == "end_turn"


class OpenAi:
    """OpenAI's SDK: the same."""

    def __init__(self, url, **options):
        import openai

        self.module = openai
        self.client = openai.OpenAI(base_url=url + "/v1", api_key="k", **options)

    def ask(self):
        reply = self.client.chat.completions.create(model="m-1", max_tokens=100, messages=ASK)
        choice = reply.choices[0]
        return choice.message.content, reply.usage.prompt_tokens, reply.usage.completion_tokens, choice.finish_reason == "stop"

    def stream(self):
        text, usage, stop = "", None, None
        for chunk in self.client.chat.completions.create(model="m-1", max_tokens=100, messages=ASK, stream=True):
            usage = chunk.usage or usage
            for choice in chunk.choices or ():
                text += choice.delta.content or ""
                stop = choice.finish_reason or stop
        return text, usage.prompt_tokens, usage.completion_tokens, stop == "stop"


# Scenario -> the exception that both SDKs raise for it (a name in their module), with no retries.
REFUSALS = {
    "bad-key": "AuthenticationError",
    "forbidden": "PermissionDeniedError",
    "bad-request": "BadRequestError",
    "zipped": "RateLimitError",
    "html": "InternalServerError",
    "empty": "InternalServerError",
    "always-overloaded": "InternalServerError",
    "reset-at-once": "APIConnectionError",
}
FINE = ("ok", "bytewise", "cut-letter", "crlf", "comments", "unknown-types")
AGAIN = ("overloaded", "rate", "conflict", "timeout-408", "reset-at-once", "html")
BROKEN_STREAMS = ("error-in-stream", "reset")


class Checks:
    """Counts what was checked and what went wrong."""

    def __init__(self, base):
        self.base, self.done, self.wrong, self.place = base, 0, [], 0

    def url(self, scenario):
        self.place += 1
        return f"{self.base}/{scenario}.{self.place}"

    def expect(self, what, got, want):
        self.done += 1
        if got != want:
            self.wrong.append(f"{what}: {got!r}, not {want!r}")

    def raised(self, call):
        """The names of the exception's classes, or the result."""
        try:
            return call()
        except Exception as error:  # noqa: BLE001  any class is an answer here
            return [c.__name__ for c in type(error).__mro__]

    def one_sdk(self, sdk):
        want, name = (TEXT, 11, 7, True), sdk.__name__
        for scenario in FINE:
            self.expect(f"{name} {scenario}", self.raised(sdk(self.url(scenario), max_retries=0).stream), want)
        self.expect(f"{name} ok, not streamed", self.raised(sdk(self.url("ok"), max_retries=0).ask), want)
        for scenario in AGAIN:
            self.expect(f"{name} {scenario}, tried again", self.raised(sdk(self.url(scenario), max_retries=1).stream), want)
        for scenario, error in REFUSALS.items():
            self.expect(f"{name} {scenario}", error in self.raised(sdk(self.url(scenario), max_retries=0).ask), True)
        for scenario in BROKEN_STREAMS:
            got = self.raised(sdk(self.url(scenario), max_retries=0).stream)
            self.expect(f"{name} {scenario} raises", isinstance(got, list), True)
        late = self.raised(sdk(self.url("silent"), max_retries=0, timeout=0.5).ask)
        self.expect(f"{name} silent", "APITimeoutError" in late, True)


def check(port):
    checks = Checks(f"http://127.0.0.1:{port}")
    for sdk in (Anthropic, OpenAi):
        checks.one_sdk(sdk)
    import anthropic
    import openai

    print(f"openai {openai.__version__}, anthropic {anthropic.__version__}: {checks.done} checks, {len(checks.wrong)} wrong")
    for line in checks.wrong:
        print("  " + line)
    return 1 if checks.wrong or not checks.done else 0


def main():
    if sys.argv[1] == "--inside":
        return check(int(sys.argv[2]))
    server = pathlib.Path(sys.argv[1]).resolve()
    python = find_python(server, "--install" in sys.argv)
    if not python:
        print("skipped: no python with the packages openai and anthropic (--install, or KBX_SDK_PYTHON)")
        return 77
    with subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        port = process.stdout.readline().strip()
        code = subprocess.run([python, "-B", __file__, "--inside", port]).returncode
        process.stdin.close()
        process.wait(timeout=30)
    return code


if __name__ == "__main__":
    sys.exit(main())
