// A run's own facts: versions, settings, machine.

function factText(value) {
  if (Array.isArray(value)) return value.map(factText).join(", ");
  return value !== null && typeof value === "object" ? JSON.stringify(value) : String(value);
}

function runFacts(run) {
  const {config = {}, versions = {}, started, ...rest} = run.facts;
  const {fingerprint, archs, ...settings} = config;
  const facts = {...versions, ...settings, ...(archs ? {"compiled for": archs.map((a) => `sm_${a}`)} : {}), ...rest, ...(started ? {started} : {})};
  return el("div", {title: fingerprint || null}, el("h1", null, run.label),
    el("dl", {class: "facts"}, Object.entries(facts).map(([name, value]) => el("div", null, el("dt", null, name), el("dd", null, factText(value))))));
}
