"""Planted faults against the checks: every bad_* entry of the files in this folder must be found by the rule that its file is
named after, at the line marked `fault: NAME [argument [index]]`; no good_* entry may show anything that rejects or warns.
Prints the table. KBX_WORKER_LIB=libkbxworker.so python table.py [check...]"""

import math
import pathlib
import re
import struct
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "worker"))

import harness  # noqa: E402

CHECKS = {  # file (and what is special) -> more of the load frame
    "out_of_bounds": {},
    "undefined_read": {},
    "data_race": {},
    "data_race/2 threads": {"threads": 2},
    "double_store": {},
    "unwritten_output": {},
    "misaligned": {},
    "unaligned_claim": {},
    "device_assert": {},
    "grid_limit": {},
    "time_limit": {"kernel_seconds": 1.0},
    "shared_memory": {"role": "compile"},
}
X = struct.pack("<1000f", *(math.sin(k + 1.0) for k in range(1000)))
I = struct.pack("<256i", *(k * 7 % 256 for k in range(256)))


def marks(source):
    """entry -> (lines, argument or None, index or None)."""
    found = {}
    for number, line in enumerate(source.splitlines(), 1):
        mark = re.search(r"# fault: (.*)$", line)
        words = mark.group(1).split() if mark else []
        names = [word for word in words if word.startswith("bad_")]
        argument, index = (words[len(names) :] + [None, None])[:2]
        for name in names:
            lines = found[name][0] if name in found else []
            found[name] = ([*lines, number], argument, int(index) if index else None)
    return found


def call(child, name):
    return child.call(
        child.tensor("x", "f32", [1000], X), child.tensor("i", "i32", [256], I), entry=name, mode="eager"
    )


def found_rules(check, reply):
    if check == "shared_memory":
        over = [row for row in reply["compiled"] if not row["ok"] and "shared memory" in (row["error"] or "")]
        return [{"rule": "shared_memory", "line": 0, "message": row["error"]} for row in over]
    return [f for f in reply["findings"] if f["severity"] != "note" or f["rule"] in ("time_limit", "grid_limit")]


def why_missed(check, name, found, expected):
    """'' if the planted fault was found as marked."""
    mine = [f for f in found if f["rule"] == check]
    if not mine:
        return "not found; %s" % [f["message"] for f in found]
    if name not in expected:
        return "" if check == "shared_memory" else "its line is not marked"
    lines, argument, index = expected[name]
    for f in mine:
        if f["line"] in lines and argument in (None, f.get("argument")) and index in (None, f.get("index")):
            return ""
    return "expected a line of %s, argument %s, index %s: %s" % (lines, argument, index, mine)


def run(zygote, title, verbose):
    """(counts, what went wrong)"""
    check = title.split("/")[0]
    source = (HERE / (check + ".py")).read_text()
    names = re.findall(r"^def ((?:bad|good)_\w+)", source, re.M)
    expected, trouble = marks(source), []
    more = dict(CHECKS[title])
    if "threads" in more:  # which cell is told first is the threads' affair
        expected = {name: (lines, argument, None) for name, (lines, argument, _) in expected.items()}
    role = more.pop("role", "value")
    extra = {"arch": 90, "archs": [90]} if role == "compile" else {}
    counts = dict.fromkeys(("planted", "detected", "honest", "alarms"), 0)
    child = zygote.fork(role)
    reply = child.load(source, entries=names, **more, **extra)
    if not reply["ok"]:
        return counts, ["%s does not load: %s" % (check, reply["error"])]
    for name in names:
        reply = call(child, name)
        found = found_rules(check, reply)
        if name.startswith("bad_"):
            why = why_missed(check, name, found, expected)
            counts["planted"] += 1
            counts["detected"] += not why
        else:
            failed = "" if reply["ok"] else str(reply["error"])[:300]
            why = failed or "; ".join(f["message"] for f in found)
            counts["honest"] += 1
            counts["alarms"] += bool(why)
        if why:
            trouble.append("%s.%s: %s" % (check, name, why))
        elif verbose and found:
            print("  %-40s line %d: %s" % (name, found[0]["line"], found[0]["message"]))
    child.finish()
    child.wait()
    return counts, trouble


def main():
    arguments = sys.argv[1:]
    verbose = "-v" in arguments
    checks = [name for name in arguments if name != "-v"] or list(CHECKS)
    zygote = harness.Zygote()
    if zygote.hello is None:
        print("the zygote does not start: %s" % zygote.fatal)
        return 1
    rows, trouble = [], []
    for check in checks:
        counts, wrong = run(zygote, check, verbose)
        rows.append((check, counts))
        trouble += wrong
    zygote.close()
    print("%-20s %8s %9s %18s %13s" % ("check", "planted", "detected", "honest look-alikes", "false alarms"))
    for check, c in rows:
        print("%-20s %8d %9d %18d %13d" % (check, c["planted"], c["detected"], c["honest"], c["alarms"]))
    total = {key: sum(c[key] for _, c in rows) for key in ("planted", "detected", "honest", "alarms")}
    print("%-20s %8d %9d %18d %13d" % ("all", total["planted"], total["detected"], total["honest"], total["alarms"]))
    for line in trouble:
        print(line)
    enough = all(c["planted"] >= 3 and c["honest"] >= 3 for _, c in rows)
    return bool(trouble) or not enough


if __name__ == "__main__":
    sys.exit(main())
