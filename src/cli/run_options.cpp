#include "cli/run_options.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "store/store.h"

namespace kbx::cli {
namespace {

Result<void> override_method(const RunOptions& o, agent::Method& m) {
  if (!o.model.empty()) use_model(m, o.model);
  if (!o.feedback.empty()) {
    auto mode = agent::feedback_mode_from_text(o.feedback);
    if (!mode) return fail(Code::usage, "--feedback must be public_only or task_tests, not " + o.feedback);
    m.feedback = *mode;
  }
  bool single = m.loop == agent::LoopKind::single_pass, evolve = m.loop == agent::LoopKind::evolve;
  if (o.rounds > 0) {
    if (single) return fail(Code::usage, m.name + " is a single pass: it has no rounds (--samples N draws several answers)");
    (evolve ? m.evolve.rounds : m.parallel_refine.rounds) = o.rounds;
  }
  if (o.samples > 0) (single ? m.single_pass.samples : evolve ? m.evolve.slots : m.parallel_refine.workers) = o.samples;
  return {};
}

Error another(const store::Store& store, const std::string& key, const Json& was, const Json& is) {
  return {Code::usage, fmt::format("{} was started with {} = {}, now it would be {}; resume it with the same, or choose another --run", store.folder().string(), key, dump_json(was).substr(0, 200), dump_json(is).substr(0, 200)), {}};
}

Result<generate::CassetteMode> cassette_mode(const RunOptions& o) {
  if (o.cassette.empty()) {
    if (!o.cassette_mode.empty()) return fail(Code::usage, "--cassette-mode needs --cassette FOLDER");
    return generate::CassetteMode::off;
  }
  auto mode = generate::cassette_mode_from_text(o.cassette_mode.empty() ? "auto" : o.cassette_mode);
  if (!mode) return fail(Code::usage, "--cassette-mode must be record, replay, auto or verify, not " + o.cassette_mode);
  return *mode;
}

}  // namespace

Result<std::vector<const Task*>> choose_tasks(const suite::Suite& suite, const std::vector<std::string>& words) {
  std::vector<const Task*> out;
  std::set<const Task*> taken;
  auto take = [&](const Task& t) {
    if (taken.insert(&t).second) out.push_back(&t);
  };
  if (words.empty())
    for (const Task& t : suite.tasks) take(t);
  std::vector<std::string> all;
  for (const std::string& w : words)
    for (const std::string& part : split(w, ','))
      if (!trim(part).empty()) all.push_back(trim(part));
  for (const std::string& word : all) {
    bool found = false;
    for (const Task& t : suite.tasks)
      if (t.category == word || ::fnmatch(word.c_str(), t.name.c_str(), 0) == 0 || ::fnmatch(word.c_str(), (t.category + "/" + t.name).c_str(), 0) == 0) {
        take(t);
        found = true;
      }
    if (const Task* t = found ? nullptr : suite.find(word)) {
      take(*t);
      found = true;
    }
    if (found) continue;
    return fail(Code::usage, "no task or category of the suite fits " + word + suite.did_you_mean(word, suite::Suite::Meant::task_or_category));
  }
  return out;
}

Result<RunPlan> plan_run(const RunOptions& o, const MethodSession& session, const suite::Suite& suite) {
  RunPlan plan;
  KBX_TRY_ASSIGN(plan.method, find_method(session, o.method));
  KBX_TRY(override_method(o, plan.method));
  KBX_TRY_ASSIGN(plan.models, models_of(plan.method, session.registry));
  std::stable_partition(plan.models.begin(), plan.models.end(), [&](const llm::Model* m) { return m->name == plan.method.model; });
  KBX_TRY_ASSIGN(plan.tasks, choose_tasks(suite, o.tasks));
  for (const std::string& b : o.budget) KBX_TRY(generate::read_budget(b, plan.budget));
  for (const llm::Model* m : plan.models) KBX_TRY(generate::check_budget(plan.budget, *m, plan.method.max_tokens));
  KBX_TRY_ASSIGN(plan.cassette, cassette_mode(o));
  return plan;
}

Json run_identity(const RunPlan& plan, const MethodSession& session) {
  Json models = Json::array();
  for (const llm::Model* m : plan.models) {
    const llm::Provider& p = session.registry.providers.at(m->provider);
    Json price = Json::object();
    for (auto [name, value] : {std::pair{"in", m->price.in}, {"cached", m->price.cached}, {"cache_write", m->price.cache_write}, {"out", m->price.out}})
      if (value) price[name] = *value;
    if (!m->price.date.empty()) price["date"] = m->price.date;
    models.push_back({{"name", m->name}, {"id", m->id}, {"provider", m->provider}, {"base_url", p.base_url}, {"price", price}, {"contamination", m->contamination}});
  }
  return {{"method", plan.method.name}, {"settings", agent::method_json(plan.method)}, {"feedback", to_text(plan.method.feedback)}, {"models", models}, {"corpus", session.corpus.hash()}};
}

std::string tape_name(const RunPlan& plan) {
  FieldHash hash;
  hash.add(dump_json(agent::method_json(plan.method)));
  for (const llm::Model* m : plan.models) hash.add(m->id);
  return plan.method.name + "@" + hash.hex().substr(0, 12);
}

Result<void> settle_identity(store::Store& store, const Json& identity) {
  KBX_TRY_ASSIGN(Json facts, store.facts());
  const Json& old = get(facts, "generation");
  if (old.is_null()) {
    KBX_TRY_ASSIGN(int64_t stored, store.count());
    if (stored > 0) return fail(Code::usage, store.folder().string() + " is a run of kbx eval; choose another --run");
    return store.put_fact("generation", identity);
  }
  for (const char* key : {"method", "feedback", "corpus"})
    if (get(old, key) != get(identity, key)) return tl::unexpected(another(store, key, get(old, key), get(identity, key)));
  for (const auto& [key, value] : get(identity, "settings").items())
    if (get(get(old, "settings"), key.c_str()) != value) return tl::unexpected(another(store, key, get(get(old, "settings"), key.c_str()), value));
  std::vector<std::string> was, is;
  for (const Json& m : get(old, "models")) was.push_back(get_string(m, "id").value_or(""));
  for (const Json& m : get(identity, "models")) is.push_back(get_string(m, "id").value_or(""));
  if (was != is) return fail(Code::usage, store.folder().string() + " was started with another model; choose another --run");
  return {};
}

}  // namespace kbx::cli
