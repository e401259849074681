"""What kbx dataset writes, read by pyarrow and by Hugging Face's datasets: nothing is lost, nothing is guessed.

Usage: library_test.py KBX MAKE_ROUNDS [RUN...]. With runs, those are taken instead of a made-up one and counts are printed.
Exit code 77: no python has `datasets` (KBX_DATASETS_PYTHON names one; pip install datasets).
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

TABLES = ("transitions", "sft", "preference", "candidates")


def lines_of(path):
    """Parsed lines of a .jsonl file."""
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def check_folder(folder, loadable, files):
    """Loads every table from `loadable` and compares it with the JSON lines under `files`, cell by cell."""
    import datasets

    counts = {}
    for table in TABLES:
        parts = {path.stem: lines_of(path) for path in (files / table).glob("*.jsonl")}
        if not parts:
            continue
        loaded = datasets.load_dataset(str(loadable), table, cache_dir=str(folder / "cache"))
        assert set(loaded) == set(parts), (table, set(loaded), set(parts))
        for part, rows in parts.items():
            got = loaded[part].to_list()
            assert got == rows, f"{table}/{part}: rows differ"
            assert list(loaded[part].features) == list(rows[0]), f"{table}/{part}: columns differ"
        counts[table] = {part: len(rows) for part, rows in parts.items()}
    return counts


def check_parquet(data, files):
    """The Parquet files by pyarrow alone: schema, counts, cells."""
    from pyarrow import parquet

    for path in data.rglob("*.parquet"):
        table = parquet.read_table(path)
        rows = lines_of(files / path.parent.name / (path.stem + ".jsonl"))
        assert table.to_pylist() == rows, path
        assert parquet.ParquetFile(path).metadata.num_rows == len(rows), path
        assert all(str(field.type) in ("string", "int64", "double", "bool") for field in table.schema), table.schema


def check_no_leak(files):
    """No task, no precision variant of one and no program stands in two parts."""
    seen = {}
    for path in files.glob("*/*.jsonl"):
        for row in lines_of(path):
            task = row["task"]
            for key in (task, task.removesuffix("_fp16").removesuffix("_bf16").removesuffix("_int8"), *(row[c] for c in row if c.endswith("code") and row[c])):
                assert seen.setdefault(key, path.stem) == path.stem, f"{task} is in {path.stem} and in {seen[key]}"
    return len(seen)


def work(kbx, make, runs):
    """Writes the data sets and checks them."""
    os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if not runs:
            runs = [folder / "run"]
            subprocess.run([make, runs[0]], check=True)
        both, lines = folder / "both", folder / "lines"
        subprocess.run([kbx, "dataset", *runs, "-o", both], check=True)
        subprocess.run([kbx, "dataset", *runs, "-o", lines, "--format", "jsonl"], check=True, stdout=subprocess.DEVNULL)
        check_parquet(both / "data", both / "jsonl")
        print(check_no_leak(both / "jsonl"), "tasks and programs, each in one part")
        by_parquet = check_folder(folder, both, both / "jsonl")
        assert by_parquet == check_folder(folder, both / "jsonl", both / "jsonl")
        assert by_parquet == check_folder(folder, lines, lines / "jsonl")
        assert by_parquet.get("candidates"), "nothing was written"
        print(json.dumps(by_parquet))


def main():
    """Runs under the python that has the library."""
    python = os.environ.get("KBX_DATASETS_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import datasets, pyarrow"], capture_output=True, check=False).returncode:
        print("SKIPPED: no python with `datasets` (KBX_DATASETS_PYTHON), so the data sets were not loaded", file=sys.stderr)
        return 77
    if not os.environ.get("KBX_DATASETS_INSIDE"):
        return subprocess.run([python, "-B", *sys.argv], env={**os.environ, "KBX_DATASETS_INSIDE": "1"}, check=False).returncode
    work(sys.argv[1], sys.argv[2], sys.argv[3:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
