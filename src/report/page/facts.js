// A run's own facts: versions, settings, machine.

const kNamesShown = 6;
const isTree = (value) => value !== null && typeof value === "object" && (!Array.isArray(value) || value.some(isTree));
const isEmpty = (value) => value !== null && typeof value === "object" && !Object.keys(value).length;

function factText(value) {
  if (!Array.isArray(value)) return String(value);
  return value.length > kNamesShown ? `${value.slice(0, kNamesShown).join(", ")} and ${value.length - kNamesShown} more` : value.join(", ");
}

// What kbx run asked, in three words; the whole is folded below.
function methodFacts(generation) {
  const models = [...new Set((generation.models || []).map((model) => model.name))];
  return {method: generation.method, ...(models.length ? {model: models.join(", ")} : {}), feedback: generation.feedback};
}

function fold(name, value) {
  return el("details", {class: "fact"}, el("summary", null, name), el("pre", null, JSON.stringify(value, null, 1)));
}

function runFacts(run) {
  const {config = {}, versions = {}, started, generation, generation_tasks: tasks, ...rest} = run.facts;
  const {fingerprint, archs, ...settings} = config;
  const facts = {...versions, ...settings, ...(archs ? {"compiled for": archs.map((a) => `sm_${a}`)} : {}), ...(generation ? methodFacts(generation) : {}), ...(tasks ? {tasks} : {}), ...rest,
    ...(started ? {started} : {})};
  const shown = Object.entries(facts).filter(([, value]) => value !== undefined && !isTree(value) && !isEmpty(value));
  const folded = Object.entries({...(generation ? {"method in full": generation} : {}), ...facts}).filter(([, value]) => isTree(value) && !isEmpty(value));
  return el("div", {title: fingerprint || null}, el("h1", null, run.label),
    el("dl", {class: "facts"}, shown.map(([name, value]) => el("div", {title: Array.isArray(value) ? value.join(", ") : null}, el("dt", null, name), el("dd", null, factText(value))))),
    folded.map(([name, value]) => fold(name, value)));
}
