"""What the scripted model answers to KernelAgent and GEAK: a wrong kernel first, a right but slow one when it is told so, and
in the optimise phase one that is fast, one in between, and one that is wrong. All are made from a task's witness."""

import collections
import json
import re

TASKS = ("sqrt_exp", "exp_sqrt", "gelu")
MARKS = "fits_contract right_values masks_and_tails strides_and_types numerics memory_traffic parallelism launch_cost clarity".split()
# Elements and warps a program: 32 elements a program keep too few bytes in flight, 1024 keep the memory busy.
SPEEDS = {"slow": (32, 1), "middle": (64, 1), "fast": (1024, 4)}


def kernels(suite, task):
    """The texts by name."""
    witness = next(suite.glob("*/%s/witness.py" % task)).read_text()
    for once in ("BLOCK = 1024", "num_warps=4", "mask = offsets < n\n", "tl.load"):
        assert witness.count(once) == 1, "the witness of %s has another form: %s" % (task, once)

    def sized(block, warps):
        return witness.replace("BLOCK = 1024", "BLOCK = %d" % block).replace("num_warps=4", "num_warps=%d" % warps)

    texts = {name: sized(*size) for name, size in SPEEDS.items()}
    texts["tail lost"] = witness.replace("offsets < n\n", "offsets < n - 1\n")
    texts["misspelt"] = witness.replace("tl.load", "tl.laod")
    texts["wrong and quick"] = sized(2048, 4).replace("offsets < n\n", "offsets < n - 1\n")
    return texts


def name_of(code):
    """Which of the texts a code is."""
    if "n - 1" in code or "tl.laod" in code:
        return "wrong"
    block = int(re.search(r"^BLOCK = (\d+)$", code, re.M).group(1))
    return next(name for name, size in SPEEDS.items() if size[0] == block)


def fenced(code):
    return "Here it is.\n```python\n%s```\n" % code


class Script:
    """answer(text): the question's kind and the reply; what a task was asked before decides where a text alone does not."""

    def __init__(self, suite):
        self.summaries = {}
        for task in TASKS:
            toml = next(suite.glob("*/%s/task.toml" % task)).read_text()
            self.summaries[task] = re.search(r'^summary = "(.*)"$', toml, re.M).group(1)
        self.texts = {task: kernels(suite, task) for task in TASKS}
        self.optimised = collections.Counter()

    def answer(self, text):
        tasks = [task for task, summary in self.summaries.items() if summary in text]
        if len(tasks) != 1:
            raise LookupError("of which task? " + text[:2000])
        for said, what in KINDS:
            if said in text:
                return (tasks[0], what), getattr(self, what)(tasks[0], text)
        raise LookupError(text[-2000:])

    # KernelAgent
    def seed_1(self, task, text):
        return fenced(self.texts[task]["tail lost"])

    def seed_2(self, task, text):
        return fenced(self.texts[task]["misspelt"])

    def refine(self, task, text):
        return fenced(self.texts[task]["slow"])

    def bottleneck(self, task, text):
        best = "BLOCK = 1024" in text
        names = ["the last element"] if best else ["too few bytes in flight", "too many programs"]
        return json.dumps({"bottlenecks": [{"name": name, "causes": ["small blocks"], "fix": "another block"} for name in names]})

    def rewrite(self, task, text):
        for name, code in (("the last element", "wrong and quick"), ("too few bytes in flight", "fast"), ("too many programs", "middle")):
            if name + ". Causes" in text:
                return fenced(self.texts[task][code])
        raise LookupError("no diagnosis in " + text[-2000:])

    def look_back(self, task, text):
        return json.dumps({"was_diagnosis_correct": True, "lessons": "Bytes in flight decide.", "avoid": ["tiny blocks"], "try": ["larger ones"]})

    # GEAK
    def judge(self, task, text):
        return json.dumps(dict.fromkeys(MARKS, 0.5) | {"reasoning": "Read, not run."})

    def why_failed(self, task, text):
        return "The mask leaves out the last element."

    def sum_up(self, task, text):
        return "One block a program. It is bound by memory; larger blocks promise most."

    def ancestors(self, task, text):
        self.optimised[task] += 1
        return self.strategy(task, {1: "fast", 2: "middle"}.get(self.optimised[task], "slow"))

    def debug(self, task, text):
        return self.strategy(task, "slow")

    def first(self, task, text):
        return self.strategy(task, "tail lost")

    def strategy(self, task, name):
        return json.dumps({"strategy": "one program a block", "code": self.texts[task][name]})


# Words of the shipped prompts and the question that they are of; the first that is there decides.
KINDS = (
    ("most important bottlenecks", "bottleneck"),
    ("Write a version that is at least", "rewrite"),
    ("Look back.", "look_back"),
    ("Find the cause of the failure and write the corrected file", "refine"),
    ("The simplest kernel that keeps", "seed_1"),
    ("First decide what one program computes", "seed_2"),
    ("You cannot run it: read it.", "judge"),
    ("Why did it fail?", "why_failed"),
    ("Sum up its strategy", "sum_up"),
    ("## Kernels that are right", "ancestors"),
    ("## Earlier attempts", "debug"),
    ('Reply with one JSON object and nothing else: {"strategy"', "first"),
)
