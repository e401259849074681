// A candidate's code with line numbers, colours, and the findings under the lines they speak of.

const kPython = new RegExp([
  /(?<str>[rbfuRBFU]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))/.source,
  /(?<com>#[^\n]*)/.source,
  /(?<def>(?<=\b(?:def|class)\s)\w+|@[\w.]+)/.source,
  /(?<kw>\b(?:False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)\b)/.source,
  /(?<num>\b(?:0[xX][\da-fA-F_]+|\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?)\b)/.source,
  /(?<name>[^\W\d]\w*)/.source,
].join("|"), "gu");
const kClassOf = {str: "str", com: "com", def: "def", kw: "kw", num: "num-lit"};

// One array of nodes a line; a token that spans lines is cut at the line ends.
function colouredLines(source) {
  const lines = [[]];
  const add = (text, cls) => text.split("\n").forEach((part, k) => {
    if (k) lines.push([]);
    if (part) lines.at(-1).push(cls ? el("span", {class: cls}, part) : document.createTextNode(upright(part)));
  });
  if (source.length > 300000) {
    add(source, "");
    return lines;
  }
  let at = 0;
  for (const match of source.matchAll(kPython)) {
    const kind = Object.keys(kClassOf).find((name) => match.groups[name] !== undefined);
    if (!kind) continue;
    add(source.slice(at, match.index), "");
    add(match[0], kClassOf[kind]);
    at = match.index + match[0].length;
  }
  add(source.slice(at), "");
  return lines;
}

const worstOf = (findings) => ["reject", "warn", "note"].find((severity) => findings.some((f) => f.severity === severity));

function remark(finding, count) {
  return el("div", {class: `remark s-${finding.severity}`}, el("b", null, finding.rule), ` (${finding.layer}): `, finding.message, count > 1 ? ` … and ${count - 1} more like this` : "");
}

// Findings of one rule at one line are one remark: the first, and how many follow.
function remarksAt(findings) {
  const byRule = Map.groupBy ? Map.groupBy(findings, (f) => f.rule) : findings.reduce((map, f) => map.set(f.rule, [...(map.get(f.rule) || []), f]), new Map());
  return [...byRule.values()].map((same) => remark(same[0], same.length));
}

function sourceView(source, findings) {
  const lines = colouredLines(source.replace(/\r\n?/g, "\n"));
  if (lines.length > 1 && lines.at(-1).length === 0) lines.pop();
  const at = new Map();
  for (const f of findings) if (f.line > 0) at.set(f.line, [...(at.get(f.line) || []), f]);
  const parts = lines.map((nodes, k) => {
    const here = at.get(k + 1) || [];
    const line = el("div", {class: `ln ${worstOf(here) || ""}`.trim(), id: `L${k + 1}`},
      el("a", {href: `#L${k + 1}`, "aria-label": `line ${k + 1}`, click: (e) => { e.preventDefault(); showLine(k + 1); }}, k + 1), el("span", null, nodes));
    return [line, ...remarksAt(here)];
  });
  return el("div", {class: "code", tabindex: 0, role: "region", "aria-label": "source code"}, el("div", null, parts));
}

function showLine(number) {
  for (const old of document.querySelectorAll(".ln.target")) old.classList.remove("target");
  const line = byId(`L${number}`);
  if (!line) return;
  line.classList.add("target");
  line.scrollIntoView({block: "center"});
}
