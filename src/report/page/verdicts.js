// The embedded data, and the words for verdicts.

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
