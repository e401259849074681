// The embedded data. The table's rows stand in one block and are there from the start; what only a candidate's own page
// shows stands in one block a candidate, read when it is opened.

const data = JSON.parse(byId("data").textContent);

const kFamilies = {
  correct: "correct", wrong: "wrong values", rules: "breaks the rules", fails: "does not run", open: "not judged", ours: "harness error",
};
const kFamilyOf = {correct: "correct", not_judged: "open", not_in_suite: "open", harness_error: "ours",
  constraint_violation: "rules", sandbox_violation: "rules", contract_violation: "rules", delegated: "rules"};
for (const name of ["illegal_memory_access", "wrong_structure", "mutated_input", "unwritten_output", "wrong_value", "wrong_value_outlier", "data_race", "nondeterministic"]) kFamilyOf[name] = "wrong";
const familyOf = (verdict) => kFamilyOf[verdict] || "fails";

const verdictNames = data.verdicts.map((v) => v[0]);
const meaningOf = Object.fromEntries(data.verdicts);
meaningOf.not_in_suite = "its task is not in the suite";
const pill = (verdict) => el("span", {class: `verdict f-${familyOf(verdict)}`, title: meaningOf[verdict]}, verdict);

// A row of the candidates table. `id` is what links name: unique, and the same for the same run.
function readRow(fields, ordinal) {
  const [run, candidate, task, category, sample, verdict, paper, stages, secs, rules, why, times] = fields;
  const inSuite = (stages & 16) !== 0;
  return {
    ordinal, run: data.runs[run].label, candidate, task, category, sample, seconds: secs, rules, why, inSuite,
    verdict: inSuite ? verdictNames[verdict] : "not_in_suite", paper: inSuite ? verdictNames[paper] : "not_in_suite",
    call: (stages & 1) !== 0, exe: (stages & 2) !== 0, paperCall: (stages & 4) !== 0, paperExe: (stages & 8) !== 0,
    times: readTimes(times), speedup: times ? times[1] : null, id: "", haystack: "",
  };
}

const rows = data.rows.map(readRow);
const rowOfId = new Map();
for (const row of rows) {
  const base = data.runs.length > 1 ? `${row.run}/${row.candidate}` : row.candidate;
  row.id = base;
  for (let n = 2; rowOfId.has(row.id); n++) row.id = `${base}~${n}`;
  rowOfId.set(row.id, row);
  row.haystack = [row.candidate, row.task, row.category, row.verdict, row.paper, row.rules, row.why, row.run].join("\n").toLowerCase();
}
const hrefOf = (row) => `#c=${encodeURIComponent(row.id)}`;

// null while the page is still being read.
function detailOf(row) {
  const block = byId(`d${row.ordinal}`);
  return block ? JSON.parse(block.textContent) : null;
}
function sourceOf(detail) {
  const block = byId(`s${detail.source}`);
  return block ? JSON.parse(block.textContent) : "";
}
