// Building elements. Text reaches the page through textContent alone: whatever a candidate wrote stays text.

// What turns the direction of text stands in it as its number: a source is read in the order in which it runs.
const upright = (text) => text.replace(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (c) => `\u27e8U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`);

// el("td", {class: "num"}, "text", otherElement, null): attributes are ours, children are nodes or text.
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === "") continue;
    node.append(child instanceof Node ? child : document.createTextNode(upright(String(child))));
  }
  return node;
}

const byId = (id) => document.getElementById(id);

// columns: [{title, num, cls}]; rows: arrays of cells (text or nodes), or elements that are rows already.
function table(columns, rows, attributes) {
  const cls = (c) => [c.num ? "num" : "", c.cls || ""].join(" ").trim() || null;
  const head = el("tr", null, columns.map((c) => el("th", {scope: "col", class: cls(c)}, c.title)));
  const body = rows.map((row) => (row instanceof Node ? row : el("tr", null, row.map((cell, k) => el("td", {class: cls(columns[k])}, cell)))));
  return el("table", attributes, el("thead", null, head), el("tbody", null, body));
}

// The one row of a table that has none: of nothing at all, or of what filters leave.
const nothingRow = (columns, all) => el("tr", null, el("td", {colspan: columns, class: "soft"}, all ? "nothing fits these filters" : "there are no candidates"));

const section = (title, ...content) => el("section", null, el("h2", null, title), content);
const scroll = (content) => el("div", {class: "scroll"}, content);

// Numbers for people. NaN and infinities are stored as words.
function short(value) {
  if (typeof value !== "number") return value === null || value === undefined ? "" : String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e6) return String(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(4)));
}
const seconds = (s) => (s < 0.00005 ? "0" : s >= 100 ? s.toFixed(0) : s >= 1 ? s.toFixed(1) : s >= 0.01 ? s.toFixed(2) : s.toFixed(4));
const plural = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
const share = (n, of) => (of ? `${n} (${Math.round((100 * n) / of)} %)` : "–");
function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let k = 0;
  while (n >= 1024 && k + 1 < units.length) { n /= 1024; k++; }
  return `${Number(n.toPrecision(3))} ${units[k]}`;
}
