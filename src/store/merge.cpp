#include "store/merge.h"

#include <fmt/format.h>

#include <map>

#include "store/generation.h"
#include "store/record_json.h"

namespace kbx::store {
namespace {

constexpr size_t kShown = 5;

// Values of one thing and the parts that have them.
using Values = std::map<std::string, std::set<std::string>>;

struct Circumstances {
  Values engine, seed;
  std::map<std::string, Values> tasks;  // by task
};

std::string values_text(const Values& values) {
  std::string out;
  for (const auto& [value, parts] : values) out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", value.substr(0, 16), fmt::join(parts, ", "));
  return out;
}

Result<Circumstances> circumstances_of(const std::vector<MergePart>& parts, const std::vector<Store>& stores) {
  Circumstances out;
  for (size_t k = 0; k < parts.size(); k++)
    KBX_TRY(stores[k].each_row([&](const JobRow& row) {
      RecordParts record(row.record());
      out.engine[record.string("engine_version")].insert(parts[k].label);
      out.seed[record.string("seed")].insert(parts[k].label);
      if (!row.category.empty()) out.tasks[std::string(row.task)][record.string("task_version")].insert(parts[k].label);
      return true;
    }));
  return out;
}

// Everything that differs, one sentence each, by the word that allows it.
std::map<std::string, std::string> differences(const Circumstances& c) {
  std::map<std::string, std::string> out;
  if (c.engine.size() > 1) out["engine"] = "engine versions: " + values_text(c.engine);
  if (c.seed.size() > 1) out["seed"] = "seeds: " + values_text(c.seed);
  std::vector<std::string> tasks;
  size_t count = 0;
  for (const auto& [task, versions] : c.tasks)
    if (versions.size() > 1 && count++ < kShown) tasks.push_back(task + " " + values_text(versions));
  if (count) out["tasks"] = fmt::format("versions of {} tasks: {}{}", count, fmt::join(tasks, "; "), count > kShown ? "; ..." : "");
  return out;
}

Result<void> check(const Circumstances& c, const std::set<std::string>& allow, MergeDone& done) {
  std::string refused, words;
  for (const auto& [word, text] : differences(c)) {
    if (allow.count(word)) {
      done.notes.push_back("mixed on purpose: " + text);
      continue;
    }
    refused += (refused.empty() ? "" : "\n  ") + text;
    words += (words.empty() ? "" : ",") + word;
  }
  if (refused.empty()) return {};
  return fail(Code::usage, "the runs differ in\n  " + refused + "\nfigures of different ones do not compare; --allow " + words + " joins them all the same");
}

Result<bool> copy_blob(const Store& from, Store& to, const std::string& hash) {
  if (hash.empty()) return true;
  auto bytes = from.blob(hash);
  if (!bytes) return false;
  KBX_TRY(to.put_blob(*bytes));
  return true;
}

Result<int64_t> copy_results(const MergePart& part, const Store& from, int64_t first, Store& to, std::unordered_set<std::string>& keys, MergeDone& done) {
  int64_t end = first, missing = 0;
  Result<void> failed;
  KBX_TRY(from.each([&](const Record& stored) {
    Record r = stored;
    r.ordinal = first + stored.ordinal;
    end = std::max(end, r.ordinal + 1);
    if (!keys.insert(r.job_key).second) {
      // The key knows "cuda:0", not which card that was: another result under it is kept, the same one is not.
      auto held = to.find_key(r.job_key);
      if (!held) failed = tl::unexpected(held.error());
      else if (*held) {
        Record other = **held;
        other.ordinal = r.ordinal;
        if (to_json(other) == to_json(r)) {
          done.doubles++;
          return true;
        }
      }
      r.job_key += "@" + part.label;
    }
    for (const std::string& hash : {r.source_hash, r.reply_hash}) {
      auto copied = copy_blob(from, to, hash);
      if (!copied) failed = tl::unexpected(copied.error());
      else missing += !*copied;
    }
    if (failed) failed = to.append(r);
    done.results += failed.has_value();
    return failed.has_value();
  }));
  if (!failed) return tl::unexpected(std::move(failed.error()));
  if (missing) done.notes.push_back(fmt::format("{}: {} sources or replies are missing among its blobs", part.label, missing));
  return end;
}

Result<void> put_facts(Store& to, const std::vector<Json>& facts, Json merged) {
  // What all parts agree on stands for the whole; the rest is with the parts.
  Json config = Json::object(), versions = Json::object();
  for (auto [group, out] : {std::pair{"config", &config}, {"versions", &versions}}) {
    const Json& first = get(facts[0], group);
    if (!first.is_object()) continue;
    for (const auto& [name, value] : first.items()) {
      bool same = true;
      for (const Json& other : facts) same &= get(get(other, group), name.c_str()) == value;
      if (same) (*out)[name] = value;
    }
  }
  KBX_TRY(to.put_fact("config", config));
  KBX_TRY(to.put_fact("versions", versions));
  KBX_TRY(to.put_fact("started", get(facts[0], "started")));
  return to.put_fact("merged", merged);
}

}  // namespace

Result<MergeDone> merge_runs(const std::vector<MergePart>& parts, const std::filesystem::path& out, const std::set<std::string>& allow) {
  if (parts.size() < 2) return fail(Code::usage, "name at least two runs to merge");
  MergeDone done;
  std::vector<Store> stores;
  std::vector<Json> facts;
  for (const MergePart& part : parts) {
    KBX_TRY_ASSIGN(Store store, Store::open_for_reading(part.folder));
    KBX_TRY_ASSIGN(Generation generation, Generation::open_for_reading(store));
    if (!generation.empty()) return fail(Code::usage, part.folder.string() + " was made by kbx run: its calls and answers belong to it alone; kbx analyze takes several runs at once");
    KBX_TRY_ASSIGN(Json f, store.facts());
    facts.push_back(std::move(f));
    stores.push_back(std::move(store));
  }
  KBX_TRY_ASSIGN(Circumstances circumstances, circumstances_of(parts, stores));
  KBX_TRY(check(circumstances, allow, done));
  std::error_code ec;
  if (std::filesystem::exists(out / "run.db", ec)) return fail(Code::usage, out.string() + " is a run already; choose another -o");
  KBX_TRY_ASSIGN(Store to, Store::open(out));
  std::unordered_set<std::string> keys;
  Json merged = Json::array();
  int64_t first = 0;
  for (size_t k = 0; k < parts.size(); k++) {
    int64_t before = first;
    KBX_TRY_ASSIGN(first, copy_results(parts[k], stores[k], before, to, keys, done));
    merged.push_back({{"run", parts[k].label}, {"first", before}, {"count", first - before}, {"facts", facts[k]}});
  }
  KBX_TRY(put_facts(to, facts, std::move(merged)));
  return done;
}

}  // namespace kbx::store
