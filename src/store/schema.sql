-- One run: append-only. A job is one transaction over all its tables; nothing is updated or deleted.
PRAGMA user_version = 1;
CREATE TABLE IF NOT EXISTS run (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL               -- JSON: config, versions, machine
) STRICT;
CREATE TABLE IF NOT EXISTS job (
  key TEXT NOT NULL,                -- hash(candidate's id, task, source, config, engine version, device)
  attempt INTEGER NOT NULL,         -- 0; a job that ended as harness_error may be tried again
  ordinal INTEGER NOT NULL,
  candidate TEXT NOT NULL,
  task TEXT NOT NULL,
  category TEXT NOT NULL,           -- '' = not in the suite
  sample INTEGER NOT NULL,
  verdict TEXT NOT NULL,
  paper TEXT NOT NULL,
  call_ok INTEGER NOT NULL,
  exe_ok INTEGER NOT NULL,
  device TEXT NOT NULL,
  seconds REAL NOT NULL,
  source_hash TEXT NOT NULL,
  record TEXT NOT NULL,             -- JSON: the whole record (store/record_json.h)
  PRIMARY KEY (key, attempt)
) STRICT;
CREATE INDEX IF NOT EXISTS job_by_ordinal ON job(ordinal);
-- The attempt that counts for each key: the last.
CREATE VIEW IF NOT EXISTS result AS
  SELECT * FROM job WHERE attempt = (SELECT max(attempt) FROM job AS other WHERE other.key = job.key);
CREATE INDEX IF NOT EXISTS job_by_task ON job(task, verdict);
CREATE TABLE IF NOT EXISTS finding (
  job TEXT NOT NULL, attempt INTEGER NOT NULL,
  layer TEXT NOT NULL, rule TEXT NOT NULL, severity TEXT NOT NULL, line INTEGER NOT NULL, message TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS finding_by_rule ON finding(rule);
CREATE TABLE IF NOT EXISTS judgement (
  job TEXT NOT NULL, attempt INTEGER NOT NULL,
  case_name TEXT NOT NULL, phase TEXT NOT NULL, path TEXT NOT NULL, profile TEXT NOT NULL, verdict TEXT NOT NULL,
  mismatches INTEGER NOT NULL, count INTEGER NOT NULL, max_abs REAL, cosine REAL, l1_rel REAL, rmse REAL
) STRICT;
