// The table's rows stand in one block and are there from the start; what only a candidate's own page shows stands in one
// block a candidate (the report) or in packs beside the page (the site), read when it is opened.

// A row of the candidates table. `id` is what links name: unique, and the same for the same run.
function readRow(fields, ordinal) {
  const [run, candidate, task, category, sample, verdict, paper, stages, secs, rules, why, times, method] = fields;
  const inSuite = (stages & 16) !== 0;
  return {
    ordinal, run: data.runs[run].label, candidate, task, category, sample, seconds: secs, rules, why, inSuite,
    verdict: inSuite ? verdictNames[verdict] : "not_in_suite", paper: inSuite ? verdictNames[paper] : "not_in_suite",
    call: (stages & 1) !== 0, exe: (stages & 2) !== 0, paperCall: (stages & 4) !== 0, paperExe: (stages & 8) !== 0,
    times: readTimes(times), speedup: times ? times[1] : null, id: "", haystack: "",
    method: data.site ? data.site.methods[method] : "", page: data.site ? data.site.pages[task] : "",
  };
}

const rows = data.rows.map(readRow);
const rowOfId = new Map();
for (const row of rows) {
  const base = data.runs.length > 1 ? `${row.run}/${row.candidate}` : row.candidate;
  row.id = base;
  for (let n = 2; rowOfId.has(row.id); n++) row.id = `${base}~${n}`;
  rowOfId.set(row.id, row);
  row.haystack = [row.candidate, row.task, row.category, row.verdict, row.paper, row.rules, row.why, row.run, row.method].join("\n").toLowerCase();
}
const hrefOf = (row) => `#c=${encodeURIComponent(row.id)}`;

// Packs: a hundred candidates' details in one script file beside the page; only a script can be read from a folder.
const packs = new Map();
globalThis.kbxPack = (number, text) => { packs.set(number, JSON.parse(text)); };
const packOf = (row) => Math.floor(row.ordinal / data.packs);

function fetchPack(number, done) {
  const script = el("script", {src: `data/pack-${number}.js`});
  script.addEventListener("load", done);
  script.addEventListener("error", () => { packs.set(number, null); done(); });
  document.head.append(script);
}

// undefined: its pack is not there yet, or the page is still being read. null: there is none.
function detailOf(row) {
  if (data.packs) {
    const pack = packs.get(packOf(row));
    return pack ? pack.details[row.ordinal % data.packs] : pack;
  }
  const block = byId(`d${row.ordinal}`);
  return block ? JSON.parse(block.textContent) : document.readyState === "loading" ? undefined : null;
}
function sourceOf(row, detail) {
  if (data.packs) return packs.get(packOf(row)).sources[detail.source] ?? "";
  const block = byId(`s${detail.source}`);
  return block ? JSON.parse(block.textContent) : "";
}
