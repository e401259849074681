"""On a machine with a GPU: what a tape gains by leaving something behind for its next run, or by looking across.

    python tests/gpu/cheats.py KBX_CLOCK LIBKBXPROBE FOLDER [--only NAME,..] [--count N] [--nvrtc PATH] [--cache DIR]
        [--worker FOLDER]

The cheats of tests/gpu/programs/cheats.py are recorded, each with the honest twin of its work as the reference, and
measured as kbx does: two sets of inputs, both verified, timed, outputs compared afterwards. One JSON line a cheat:
    verified      "right", "wrong" (then kbx would time nothing) or what fault the clock found; of the last measurement
    ratio         time of the cheat / time of its twin, with its 95 % interval
    after         mismatches of the last timed run; inputs_intact: of the pristine inputs
    gains         in any of N measurements: values accepted before and after, and more than 3 % faster than the twin
    hidden_base   the same where the reference's arena lies at a random place: only for cheats that know its place
    gain_without  the same with steps of a run's preparation left out; "not_shown": where that should have helped
Then a line that counts. Exit code 1 when a cheat gains (but at a base that it knows, which kbx draws anew)
or could not be recorded, 77 where there is no GPU.
"""

import argparse
import json
import os
import pathlib
import random
import sys
import types

HERE = pathlib.Path(__file__).resolve().parent
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
sys.path[:0] = [str(HERE / "programs"), str(HERE)]
import clock as clocks  # noqa: E402
import probe  # noqa: E402

CANDIDATE, REFERENCE = 5 << 44, 6 << 44
FASTER = 0.97
PATIENCE_S = 40


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("library")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--nvrtc", default="")
    parser.add_argument("--cache", default="")
    parser.add_argument("--cupti", default="")
    parser.add_argument("--worker", default=str(HERE.parent.parent / "src" / "worker" / "python"))
    parser.add_argument("--card", type=int, default=0)
    return parser.parse_args()


class Clock(clocks.Clock):
    """One that is given up when it does not answer."""

    def start(self):
        super().start()
        self.socket.settimeout(PATIENCE_S)

    def again(self):
        self.process.kill()
        self.process.wait()
        self.start()


class Recordings:
    """Tapes, made once each."""

    def __init__(self, options):
        self.options, self.made = options, {}

    def tape(self, name, program, base):
        """The path; raises with the reason where there is no good tape."""
        key = "%s-%x" % (name, base)
        if key not in self.made:
            folder = self.options.folder / key
            folder.mkdir(parents=True, exist_ok=True)
            (folder / (name + ".tape")).unlink(missing_ok=True)
            given = {"base": "%x" % base, "data": 0, "reference": False, "seconds": 90}
            self.made[key] = probe.one(
                types.SimpleNamespace(**{**vars(self.options), **given, "folder": str(folder)}), name, program
            )
        row, path = self.made[key], self.options.folder / key / (name + ".tape")
        if not row.get("right") or not path.exists():
            raise RuntimeError("recording %s: %s" % (key, row.get("error") or row.get("wrong")))
        return path


def drawn(loaded, seed):
    """Inputs that differ from each other, too."""
    inputs = [clocks.draw_of(t, seed) for t in loaded["inputs"]]
    for number, one in enumerate(inputs):
        one["draw"]["salt"] = number
    return inputs


def measure(clock, candidate, reference, seeds, **question):
    """One load, verify and time; a fault's words where the clock says one."""
    row = {"verified": "not reached"}
    try:
        clock.must({"do": "unload"})
        loaded = clocks.load(clock, "candidate", candidate)
        clocks.load(clock, "reference", reference)
        for number, seed in enumerate(seeds):
            clock.must({"do": "inputs", "set": number, "inputs": drawn(loaded, seed)})
        wrong = []
        for number in range(len(seeds)):
            answer, _ = clock.must({"do": "verify", "set": number, "outputs": clocks.outputs_of(loaded)})
            wrong += [o["mismatches"] + bool(o.get("problem")) for o in answer["outputs"]]
            row["guard_words"] = row.get("guard_words", 0) + answer["guard_words"]
        row.update(verified="wrong" if any(wrong) or not wrong else "right", mismatches=wrong)
        timed = clock.must({"do": "time", "half_width": 0.01, "cap_ms": 80, **question})[0]
        row.update(
            cheat_us=round(timed["candidate_us"], 3),
            honest_us=round(timed["reference_us"], 3),
            ratio=[round(1 / timed[name], 4) if timed[name] > 0 else None for name in ("speedup", "high", "low")],
            after=[o["mismatches"] + bool(o.get("problem")) for o in timed["after"]],
            inputs_intact=timed["inputs_intact"],
            groups=timed["groups"],
            notes=timed["notes"],
        )
        if timed["problem"]:
            row["problem"] = timed["problem"]
    except clocks.Refused as error:
        refused = error.args[0]
        row["fault"] = "%s: %s" % (refused["fault"], refused["message"][:200])
        if row["verified"] == "not reached":
            row["verified"] = row["fault"]
    except (EOFError, OSError) as error:
        row["fault"] = "the clock ended: %s %s" % (type(error).__name__, error)
        clock.again()
    row["gains"] = gains(row)
    return row


def gains(row):
    accepted = row["verified"] == "right" and row.get("after") and not any(row["after"]) and row.get("inputs_intact")
    ratio, _, high = row.get("ratio") or [None] * 3
    return bool(accepted and "problem" not in row and ratio and high and ratio < FASTER and high < 1)


def repeated(clock, candidate, reference, count, seed, sets=2, **question):
    """The last measurement, or the first that gains or faults."""
    seeds, ratios = [], []
    for n in range(count):
        seeds = [seed + 10 * n + k for k in range(sets)]
        row = measure(clock, candidate, reference, seeds, **question)
        ratios.append((row.get("ratio") or [None])[0])
        if row["gains"] or "fault" in row:
            break
    return {**row, "ratios": ratios}


def examine(clock, recordings, name, cheat, programs, row):
    twin = programs.program_of(cheat, twin=True)
    candidate = recordings.tape(name, programs.program_of(cheat), CANDIDATE)
    reference = recordings.tape("twin_" + cheat.work, twin, REFERENCE)
    count = recordings.options.count
    row.update(repeated(clock, candidate, reference, count, 100))
    if cheat.knows_base:
        hidden = recordings.tape("twin_" + cheat.work, twin, recordings.options.hidden_base)
        row["hidden_base"] = repeated(clock, candidate, hidden, count, 400)
    for left_out, weak in cheat.weak.items():
        result = repeated(
            clock, candidate, reference, 1, 700, weak.sets, steps=weak.steps, move_memory=weak.move_memory
        )
        kept = ("verified", "ratio", "after", "gains", "fault", "problem", "cheat_us", "honest_us")
        row.setdefault("gain_without", {})[left_out] = {key: result[key] for key in kept if key in result}
        if weak.shows and not result["gains"]:
            row.setdefault("not_shown", []).append(left_out)


def main():
    options = arguments()
    if not os.path.exists("/dev/nvidiactl"):
        print("skipped: this machine has no NVIDIA GPU")
        return 77
    sys.path.insert(1, options.worker)
    import cheats as programs  # of the folder `programs`, which comes before this one

    options.library, options.folder = os.path.abspath(options.library), options.folder.resolve()
    options.hidden_base = random.SystemRandom().randrange(0x2000, 0x4000) << 32  # away from both arenas
    recordings, clock = Recordings(options), Clock(options)
    wanted = [n for n in options.only.split(",") if n]
    total = {"cheats": 0, "gain": [], "gain_at_known_base": [], "gain_at_hidden_base": [], "not_shown": [], "failed": []}
    for name, cheat in programs.CHEATS.items():
        if wanted and name not in wanted:
            continue
        row = {"cheat": name}
        try:
            examine(clock, recordings, name, cheat, programs, row)
        except (Exception, SystemExit) as error:  # the next one is measured all the same
            row["error"] = "%s: %s" % (type(error).__name__, str(error)[:500])
            total["failed"].append(name)
        total["cheats"] += 1
        at_known_base = row.get("gains") and "hidden_base" in row  # kbx draws the base: such a gain shows why
        total["gain_at_known_base"] += [name] if at_known_base else []
        total["gain"] += [name] if row.get("gains") and not at_known_base else []
        total["gain_at_hidden_base"] += [name] if row.get("hidden_base", {}).get("gains") else []
        total["not_shown"] += ["%s without %s" % (name, w) for w in row.get("not_shown", [])]
        print(json.dumps(row), flush=True)
    print(json.dumps(total))
    return 1 if total["gain"] or total["gain_at_hidden_base"] or total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
