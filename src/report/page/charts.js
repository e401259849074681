// The report's charts.

function drawCategories() {
  const names = Object.keys(data.categories);
  const families = Object.keys(kFamilies).map((family) => ({
    label: kFamilies[family], backgroundColor: themeColour(family), barPercentage: 0.85, categoryPercentage: 0.9,
    data: names.map((name) => data.categories[name].verdicts.reduce((sum, n, k) => sum + (familyOf(verdictNames[k]) === family ? n : 0), 0)),
  })).filter((set) => set.data.some(Boolean));
  byId("plot-categories").style.height = `${Math.max(330, 70 + 22 * names.length)}px`;
  draw("chart-categories", {type: "bar", data: {labels: names, datasets: families}, options: {
    indexAxis: "y", plugins: {legend}, scales: {x: {stacked: true, ...wholeNumbers}, y: {stacked: true, grid: {display: false}, ticks: {autoSkip: false}}},
    onClick: (event, hit) => { if (hit.length) showOnly({category: names[hit[0].index]}); }}});
}

function drawVerdicts() {
  const shown = verdictNames.map((name, k) => ({name, kbx: data.all.verdicts[k], paper: data.paper[k]})).filter((v) => v.kbx || v.paper).reverse();
  const colours = shown.map((v) => themeColour(familyOf(v.name)));
  byId("plot-verdicts").style.height = `${Math.max(330, 70 + 26 * shown.length)}px`;
  const bars = {barPercentage: 0.9, categoryPercentage: 0.85};
  draw("chart-verdicts", {type: "bar", data: {labels: shown.map((v) => v.name), datasets: [
    {label: "kbx", data: shown.map((v) => v.kbx), backgroundColor: colours, ...bars},
    {label: "paper", data: shown.map((v) => v.paper), backgroundColor: colours.map((c) => `${c}66`), borderColor: colours, borderWidth: 1, ...bars}]},
  options: {indexAxis: "y", plugins: {legend: {...legend, labels: {...legend.labels, generateLabels: verdictLegend}}}, scales: {x: wholeNumbers, y: {grid: {display: false}, ticks: {autoSkip: false}}},
    onClick: (event, hit) => { if (hit.length) showOnly({[hit[0].datasetIndex ? "paper" : "verdict"]: shown[hit[0].index].name}); }}});
}

function verdictLegend() {
  const colour = themeColour("soft");
  return [{text: "kbx (solid)", fillStyle: colour, fontColor: colour, lineWidth: 0}, {text: "paper (pale)", fillStyle: `${colour}66`, strokeStyle: colour, fontColor: colour, lineWidth: 1}];
}

function drawSeconds() {
  const edges = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, Infinity];
  const counts = edges.map(() => 0);
  for (const row of rows) if (row.inSuite) counts[edges.findIndex((edge) => row.seconds <= edge)]++;
  let last = counts.length;
  while (last > 1 && !counts[last - 1]) last--;
  const labels = edges.map((edge, k) => (k === 0 ? "≤ 0.1" : edge === Infinity ? "> 200" : `≤ ${edge}`)).slice(0, last);
  draw("chart-seconds", {type: "bar", data: {labels, datasets: [{data: counts.slice(0, last), backgroundColor: themeColour("fails"), barPercentage: 1, categoryPercentage: 0.94}]},
    options: {plugins: {legend: {display: false}}, scales: {x: {grid: {display: false}, title: {display: true, text: "seconds"}}, y: {...wholeNumbers, title: {display: true, text: "candidates"}}}}});
}

function drawCharts() {
  forgetCharts();
  byId("charts").hidden = !rows.length;
  if (!rows.length) return;
  drawCategories();
  drawVerdicts();
  drawSeconds();
}
