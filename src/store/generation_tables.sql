-- What a generation run adds to run.db: append-only. `seq` orders calls and evaluations as their results came in.
CREATE TABLE IF NOT EXISTS call (
  seq INTEGER PRIMARY KEY,
  key TEXT NOT NULL,                -- SHA-256 of the canonical request and the place in the run (generate/call_key.h)
  task TEXT NOT NULL, role TEXT NOT NULL, round INTEGER NOT NULL, slot INTEGER NOT NULL, attempt INTEGER NOT NULL,
  model TEXT NOT NULL,              -- its name in [models]
  prompt TEXT NOT NULL,             -- name and hash of the template
  request TEXT NOT NULL,            -- blob: the ChatRequest as JSON
  raw TEXT NOT NULL,                -- blob: status, headers and bytes as they came; '' = nothing came
  result TEXT NOT NULL,             -- JSON: {"reply": ...} or {"error": ...}
  replied INTEGER NOT NULL,         -- 1: a reply
  tokens_in INTEGER NOT NULL, cached INTEGER NOT NULL, cache_write INTEGER NOT NULL,
  tokens_out INTEGER NOT NULL, reasoning INTEGER NOT NULL, estimated INTEGER NOT NULL,
  usd REAL,                         -- by the prices at that time; NULL = a price is not known
  seconds REAL NOT NULL,
  finished TEXT NOT NULL            -- UTC
) STRICT;
CREATE INDEX IF NOT EXISTS call_by_key ON call(key);
CREATE INDEX IF NOT EXISTS call_by_task ON call(task);
CREATE TABLE IF NOT EXISTS evaluation (
  seq INTEGER PRIMARY KEY,
  task TEXT NOT NULL, round INTEGER NOT NULL, slot INTEGER NOT NULL, step INTEGER NOT NULL,
  candidate TEXT NOT NULL,          -- the record's: "softmax/0/2/0"
  code TEXT NOT NULL,               -- blob
  origin TEXT NOT NULL,             -- JSON: the call that it came from, how the code was taken, was the reply cut
  job TEXT NOT NULL,                -- key of the record that counts
  feedback TEXT NOT NULL,           -- JSON: what the loop learned of it
  seconds REAL NOT NULL, gpu_seconds REAL NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS evaluation_by_task ON evaluation(task);
-- What one slot held at the end of one round. A resumed run may say it again: the last row counts.
CREATE TABLE IF NOT EXISTS memory (
  seq INTEGER PRIMARY KEY,
  task TEXT NOT NULL, round INTEGER NOT NULL, slot INTEGER NOT NULL,
  candidate TEXT NOT NULL,          -- '' = this code was never judged
  code TEXT NOT NULL,               -- blob; '' = none
  strategy TEXT NOT NULL, reflection TEXT NOT NULL, judge_score REAL,
  feedback TEXT NOT NULL, calls TEXT NOT NULL  -- JSON
) STRICT;
CREATE INDEX IF NOT EXISTS memory_by_task ON memory(task, round, slot);
-- How a task ended; the last row counts.
CREATE TABLE IF NOT EXISTS answer (
  seq INTEGER PRIMARY KEY,
  task TEXT NOT NULL,
  candidate TEXT NOT NULL,          -- '' = no code, or code that was never judged
  code TEXT NOT NULL, why TEXT NOT NULL,
  samples TEXT NOT NULL,            -- JSON: candidates that count for pass@k, in order
  cut_short INTEGER NOT NULL        -- 1: the budget ended before the method did
) STRICT;
CREATE INDEX IF NOT EXISTS answer_by_task ON answer(task);
