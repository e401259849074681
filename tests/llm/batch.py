"""Batches by hand: what is exported is asked of the server, the saved answers come back in two parts, the rest waits."""

from __future__ import annotations

import json
import tempfile
import urllib.request
from pathlib import Path

import server
from routes import TASKS
from run_rows import rows
from runs import command, ends, kbx, model_file, place

COUNT = 4


def ask(port: int, body: dict) -> dict:
    """One request of the batch file, sent to the server as it stands."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def main() -> None:
    """Export; results of half the tasks in reverse order, one expired; then all."""
    server.need()
    with tempfile.TemporaryDirectory() as scratch:
        where = Path(scratch)
        with server.Server(model_file(where, COUNT), where / "server.log") as s:
            place(where, s.port, COUNT)
            kbx(where, command("claude", COUNT, where / "unused", "--batch", "export", "batch"))
            lines = [json.loads(line) for f in sorted((where / "batch").glob("requests*.jsonl")) for line in f.read_text().splitlines()]
            assert len(lines) == COUNT, lines
            assert len(list((where / "batch" / "prompts").glob("*.prompt.md"))) == COUNT
            results = [
                {"id": f"b{k}", "custom_id": r["custom_id"], "response": {"status_code": 200, "request_id": "r", "body": ask(s.port, r["body"])}, "error": None}
                for k, r in enumerate(lines)
            ]
        expired = {"id": "x", "custom_id": lines[0]["custom_id"], "response": None, "error": {"code": "batch_expired", "message": "expired"}}
        part, whole = where / "batch" / "part.jsonl", where / "batch" / "whole.jsonl"
        part.write_text("".join(json.dumps(r) + "\n" for r in [*reversed(results[2:]), expired]))
        whole.write_text("".join(json.dumps(r) + "\n" for r in results))
        first = kbx(where, command("claude", COUNT, where / "run", "--json", "--batch", "import", str(part)), check=False)
        assert first.returncode == 3, first
        assert len(ends(first)[0]) == 2, first.stdout
        tasks, summary = ends(kbx(where, command("claude", COUNT, where / "run", "--json", "--resume", "--batch", "import", str(whole))))
        assert len(tasks) == COUNT and summary["calls"] == COUNT, summary
        assert summary["correct"] == COUNT - 1, tasks
        assert rows(where / "run", "SELECT count(*) FROM call")[0][0] == COUNT
        # An answer from a chat window.
        prompt = min((where / "batch" / "prompts").glob("*.prompt.md"))
        text = results[0]["response"]["body"]["choices"][0]["message"]["content"]
        for p in (where / "batch" / "prompts").glob("*.prompt.md"):
            if p.name.startswith(TASKS[0].split("/")[1] + "_"):
                prompt = p
        prompt.with_name(prompt.name.replace(".prompt.md", ".reply.md")).write_text(text)
        byhand = kbx(where, command("claude", COUNT, where / "byhand", "--json", "--batch", "import", "batch/prompts"), check=False)
        assert [t["verdict"] for t in ends(byhand)[0].values()] == ["correct"], byhand.stdout + byhand.stderr
        refused = kbx(where, command("geak", COUNT, where / "no", "--batch", "export", "batch2"), check=False)
        assert refused.returncode == 2 and "single-pass" in refused.stderr, refused.stderr
    print("exported, asked, taken back in two parts; one answer by hand; a loop is refused")


if __name__ == "__main__":
    main()
