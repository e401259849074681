#!/usr/bin/env python3
"""Checks the house rules that a compiler does not: one line per violation, exit code 1 if there is any.

tools/check_house.py [ROOT]

Sizes: files <= 400 lines, headers <= 150, functions <= 60. Every file says in its first line what it is (a .cpp may
leave that to the header of its name). Only cli prints, nothing throws, shared ownership and mutable globals are
exceptions named here. Pure rooms ask neither the environment nor the clock of day nor chance. Enumerators and lint
rules are in step with the documents. Tracked text speaks of the project alone.
"""

import ast
import pathlib
import re
import subprocess
import sys

FILE_LINES, HEADER_LINES, FUNCTION_LINES = 400, 150, 60
CODE = (".cpp", ".h", ".py")
PURE = ("toml", "suite", "lint", "ir", "judge", "stats", "agent")

# What stands outside a rule, and why.
LONG_FILES = {
    "tests/ir/cases.py": "one table of kernels",
}
SHARED = {
    "src/model/value": "a tensor's storage",
    "src/sandbox/encode.h": "a tensor's storage",
    "src/sandbox/run.cpp": "a tensor's storage",
    "src/suite/layout.cpp": "a tensor's storage",
    "src/eval/truth": "a truth outlives its place in the cache while a job holds it",
    "src/eval/job.cpp": "as eval/truth",
    "src/eval/reference_tapes": "as eval/truth",
    "src/cli/": "options that the parser's callbacks share",
}
PRINTS = {"src/base/check.cpp": "says what broke before it aborts", "src/cli/": "the terminal is its concern", "src/clock/main.cpp": "a program of its own"}
GLOBALS = {"src/probe/probe.cpp": "flags of a thread; torch's allocator and CUPTI call bare functions"}
THROWS = {"src/toml/tree.cpp": "the handler that toml++ asks for; caught in the same file"}
# (header, enum, document): every enumerator stands there in backticks.
DOCUMENTED = [
    ("src/model/verdict.h", "Verdict", "docs/verdicts.md"),
    ("src/model/task.h", "OracleKind", "docs/oracles.md"),
    ("src/model/finding.h", "Severity", "docs/lint.md"),
    ("src/worker/wire.h", "FrameType", "docs/wire.md"),
    ("src/agent/method.h", "Quirk", "docs/methods.md"),
]
FORBIDDEN = [
    (re.compile(r"(?<![\w.])/work/|/opt/pypi"), "a path of one machine"),
    (re.compile(r"(?i)\b(artifactory|jfrog|pythonhosted|proxy\.golang)\b|pypi\.org"), "a registry's host"),
    (re.compile(r"(?i)\b(lead|helper|coding|other) (session|agent)s?\b|\b(this|an earlier|the next) session (wrote|built|did)"), "who wrote it"),
]
NOT_PROSE = ("tools/check_house.py", "tests/house/", "third_party/", "samples/", "tests/intake/", "tests/lint/")


def allowed(path, table):
    return any(path.startswith(prefix) for prefix in table)


def strip(text):
    """C++ with comments, strings, characters and directives blanked out; lines stay where they are."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<d>[^(\s]{0,16})\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.S
    )
    blank = lambda m: re.sub(r"[^\n]", " ", m.group(0))  # noqa: E731
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, pattern.sub(blank, text), flags=re.M)


CONTROL = re.compile(r"^\s*(\}\s*)?(if|else|for|while|switch|do|try|catch|namespace|struct|class|enum|union|extern|return|case|default)\b")


def newlines_since_opening(head):
    """Newlines between the parameter list's opening parenthesis, which matches the last closing one, and the end."""
    open_now = 0
    for at in range(len(head) - 1, -1, -1):
        open_now += {")": 1, "(": -1}.get(head[at], 0)
        if head[at] == "(" and open_now == 0:
            return head[at:].count("\n")
    return head.count("\n")


def cpp_functions(code):
    """(first line, lines) of every outermost function body in stripped C++."""
    depth, opened, start = 0, None, 0
    found = []
    statement = ""
    line = 1
    for c in code:
        if c == "\n":
            line += 1
        if c == "{":
            depth += 1
            head = statement.strip()
            is_function = re.search(r"\)\s*(const|noexcept|override|final|mutable|&|&&|->[^{};]*|:[^;]*)*\s*$", head) and not CONTROL.match(head)
            if opened is None and is_function:
                opened, start = depth, line - newlines_since_opening(head)
            statement = ""
        elif c == "}":
            if opened == depth:
                found.append((start, line - start + 1))
                opened = None
            depth -= 1
            statement = ""
        elif c == ";":
            statement = ""
        elif not (c == ":" and re.search(r"\b(public|private|protected)\s*$", statement)):
            statement += c
        else:
            statement = ""
    return found


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1


def check_size(path, text):
    lines = text.count("\n")
    limit = HEADER_LINES if path.endswith(".h") else FILE_LINES
    if lines > limit and path not in LONG_FILES:
        yield 1, "%d lines, more than %d" % (lines, limit)
    try:
        functions = python_functions(text) if path.endswith(".py") else cpp_functions(strip(text))
        for line, length in functions:
            if length > FUNCTION_LINES:
                yield line, "a function of %d lines, more than %d" % (length, FUNCTION_LINES)
    except SyntaxError as error:
        yield error.lineno or 1, "not Python: %s" % error.msg


def check_first_line(path, text, tracked):
    first = text.split("\n", 1)[0]
    if path.endswith(".py"):
        body = re.sub(r"\A(#![^\n]*\n)?", "", text)
        if not re.match(r'\s*(#|r?""")', body):
            yield 1, "the first line does not say what the file is"
    elif not first.startswith(("//", "/*")):
        if not (path.endswith(".cpp") and path[:-4] + ".h" in tracked):
            yield 1, "the first line does not say what the file is"


def check_manners(path, text):
    room = path.split("/")[1]
    for number, line in enumerate(strip(text).split("\n"), 1):
        if re.search(r"\bthrow\b", line) and not allowed(path, THROWS):
            yield number, "throw: errors are values here"
        if re.search(r"\b(shared_ptr|make_shared)\b", line) and not allowed(path, SHARED):
            yield number, "shared ownership is for tensor storage"
        if re.search(r"\bstd::(cout|cerr|clog)\b|\b(f?printf|f?puts|putchar|perror)\s*\(|\bfmt::print\b", line) and not allowed(path, PRINTS):
            yield number, "only cli prints"
        if re.search(r"^\s*(static|thread_local)\s+(?!const|constexpr|constinit|inline|_assert)[\w:<>,\s]+\s\w+\s*(=[^=]|;|\{)", line) and "(" not in line.split("=")[0] and not allowed(path, GLOBALS):
            yield number, "mutable static state"
        if room in PURE:
            if re.search(r"\bgetenv\b|\brandom_device\b|\bsystem_clock\b|\bstd::(time|rand)\s*\(", line):
                yield number, "a pure room asks the environment, the time of day or chance"
    if room in PURE and room != "suite" and not path.startswith("src/agent/load."):  # these walk their folders
        for include in re.finditer(r"#include <(fstream|iostream|filesystem)>", text):
            yield text[: include.start()].count("\n") + 1, "a pure room touches files"


def check_words(path, text):
    if path.startswith(NOT_PROSE):
        return
    for number, line in enumerate(text.split("\n"), 1):
        for pattern, what in FORBIDDEN:
            if pattern.search(line):
                yield number, "%s: %s" % (what, pattern.search(line).group(0).strip())
        if "../shared" in line and not (path.startswith("tests/") and "KBX_SHARED" in text):
            yield number, "data outside the repository (a test may use it, by way of KBX_SHARED)"


def enumerators(text, name):
    body = re.search(r"enum class %s\b[^{]*\{(.*?)\}" % name, strip(text), re.S)
    return [re.match(r"\s*(\w+)", part).group(1) for part in body.group(1).split(",") if part.strip()] if body else []


def check_documents(root):
    for header, enum, document in DOCUMENTED:
        if not (root / header).exists():
            continue
        names = enumerators((root / header).read_text(), enum)
        if not names:
            yield header, 1, "no enum %s" % enum
            continue
        text = (root / document).read_text() if (root / document).exists() else ""
        for name in names:
            if not re.search(r"`%s\b[^`]*`|^\| \d+ %s \|" % (name, name), text, re.M):
                yield document, 1, "%s::%s of %s is not explained" % (enum, name, header)
    # The verdicts' table has exactly the verdicts, in the order of precedence.
    if (root / "src/model/verdict.h").exists() and (root / "docs/verdicts.md").exists():
        rows = re.findall(r"^\| `(\w+)` \|", (root / "docs/verdicts.md").read_text(), re.M)
        if rows[: len(names := enumerators((root / "src/model/verdict.h").read_text(), "Verdict"))] != names:
            yield "docs/verdicts.md", 1, "the table and enum Verdict differ in names or order"
    text = (root / "docs/lint.md").read_text() if (root / "docs/lint.md").exists() else ""
    for rule in sorted((root / "src/lint/rules").glob("*.cpp")):
        if re.search(r"constinit const Rule \w+", rule.read_text()):
            if not (root / "tests/lint" / (rule.stem + ".py")).exists():
                yield str(rule.relative_to(root)), 1, "rule without a fixture tests/lint/%s.py" % rule.stem
            if "| `%s` |" % rule.stem not in text:
                yield "docs/lint.md", 1, "no row for rule %s" % rule.stem


def tracked_files(root):
    """Tracked files and new ones that are not ignored; without git, everything below the source folders."""
    done = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"], text=True, capture_output=True)
    if done.returncode == 0:
        return [f for f in done.stdout.splitlines() if (root / f).is_file()]
    return [str(p.relative_to(root)) for d in ("src", "tests", "tools", "docs", "fuzz", "bench", "suite") for p in (root / d).rglob("*") if p.is_file()]


def violations(root):
    files = tracked_files(root)
    tracked = set(files)
    for path in sorted(files):
        try:
            text = (root / path).read_text()
        except UnicodeDecodeError:
            continue
        found = list(check_words(path, text))
        candidate = path.startswith(("tests/lint/", "tests/verdicts/", "tests/intake/", "samples/")) and path not in LONG_FILES
        if path.endswith(CODE) and not candidate:
            found += check_size(path, text)
            found += check_first_line(path, text, tracked)
            if path.startswith("src/") and not path.endswith(".py"):
                found += check_manners(path, text)
        yield from ((path, line, what) for line, what in sorted(found))
    yield from check_documents(root)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    found = list(violations(root))
    for path, line, what in found:
        print("%s:%d: %s" % (path, line, what))
    if found:
        sys.exit("%d violations of the house rules" % len(found))


if __name__ == "__main__":
    main()
