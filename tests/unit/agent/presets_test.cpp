// The shipped methods and prompts, and what their readers say of faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "agent/load.h"
#include "agent/make_loop.h"
#include "agent/prompt_toml.h"
#include "base/files.h"
#include "suite/signature.h"
#include "suite/suite.h"

namespace kbx::agent {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

const std::string kRoot = KBX_SOURCE_DIR;

Methods presets() {
  auto methods = load_methods(kRoot + "/methods");
  EXPECT_TRUE(methods) << methods.error().text();
  return methods ? *methods : Methods();
}
PromptStore prompts() {
  auto store = load_prompts({kRoot + "/prompts"});
  EXPECT_TRUE(store) << store.error().text();
  return store ? *store : PromptStore();
}
Task softmax() {
  auto task = suite::load_task(kRoot + "/suite/math/softmax");
  EXPECT_TRUE(task);
  return *task;
}
std::string fault(std::string_view text) {
  Methods methods = presets();
  auto read = parse_methods(text, "my.toml", methods);
  return read ? "" : read.error().message;
}

TEST(Presets, AreTheFiveMethods) {
  Methods methods = presets();
  std::vector<std::string> names;
  for (const auto& [name, method] : methods) names.push_back(name);
  EXPECT_THAT(names, UnorderedElementsAre("claude", "ds_coder", "autotriton", "geak", "kernelagent"));
  EXPECT_EQ(most_calls(methods["claude"]), 1);
  EXPECT_EQ(most_calls(methods["geak"]), 36);
  EXPECT_EQ(most_calls(methods["kernelagent"]), 18);
  EXPECT_FALSE(methods["claude"].sampling.temperature);
  EXPECT_EQ(methods["ds_coder"].sampling.temperature, 0.0);
  EXPECT_EQ(methods["autotriton"].sampling.top_p, 0.95);
  EXPECT_EQ(methods["geak"].evolve.retrieval.on, true);
  EXPECT_EQ(methods["geak"].roles["judge"].max_tokens, 4000);
  EXPECT_EQ(methods["kernelagent"].parallel_refine.seed_temperature, 0.8);
  for (const auto& [name, method] : methods) {
    EXPECT_EQ(method.feedback, FeedbackMode::public_only) << name;
    EXPECT_TRUE(method.quirks.empty()) << name;
  }
}

TEST(Presets, EveryOneAsksItsFirstQuestionOfEveryFormWithTheWholeContract) {
  PromptStore store = prompts();
  auto corpus = load_corpus(kRoot + "/prompts/corpus");
  ASSERT_TRUE(corpus);
  Task task = softmax();
  for (auto [name, method] : presets())
    for (const char* form : {"kbx", "tritonbench"}) {
      method.form = form;
      auto loop = make_loop({method, store, *corpus, facts_of(task, device_text(find_gpu("H200")))});
      ASSERT_TRUE(loop) << loop.error().text();
      auto actions = (*loop)->step(Started{});
      ASSERT_FALSE(actions.empty());
      const ChatRequest& r = std::get<Ask>(actions[0]).request;
      std::string all = r.system + r.messages[0].text;
      for (const std::string& point : task.contract) EXPECT_THAT(all, HasSubstr(point)) << name << " " << form;
      EXPECT_THAT(all, HasSubstr("softmax(input: Tensor, dim: int"));
      EXPECT_THAT(all, HasSubstr("float16, bfloat16, float32, float64"));
      EXPECT_THAT(all, Not(HasSubstr("{{")));
      EXPECT_THAT(all, Not(HasSubstr("torch.softmax"))) << "the reference";
      for (const Case& c : task.cases) {
        // "rows" is a word like others; "middle_of_transposed" is a name.
        bool shown = c.name.find('_') != std::string::npos && all.find(c.name) != std::string::npos;
        EXPECT_FALSE(shown) << c.name;
      }
      EXPECT_EQ(all.find("1023"), std::string::npos) << "a size of the cases";
      EXPECT_EQ(all.find("one fenced code block") != all.npos && all.find("one JSON object") != all.npos, false) << "two forms of reply";
      EXPECT_EQ(all.find("Functional Description") != all.npos, std::string(form) == "tritonbench");
      EXPECT_EQ(all.find("\n\n```\n"), std::string::npos) << "code ends before its fence";
      EXPECT_THAT(r.prompt, HasSubstr("@"));
    }
}

TEST(Presets, TheSystemTextIsTheSameForAllCallsOfARoleAndOverTheSharedRoles) {
  PromptStore store = prompts();
  Task task = softmax();
  Fields fields = facts_of(task, "").fields;
  Fields more = fields;
  more["attempts"] = "A";
  EXPECT_EQ(store.render("geak/gen", "kbx", fields).system, store.render("geak/fail", "kbx", more).system);
  EXPECT_EQ(store.render("kernelagent/seed", "kbx", fields).system, store.render("kernelagent/refine", "kbx", more).system);
}

TEST(Presets, AHashIsOfTheTextsAndNotOfTheTask) {
  PromptStore store = prompts();
  std::string a = store.render("geak/gen", "kbx", {}).name, b = store.render("geak/gen", "kbx", facts_of(softmax(), "").fields).name;
  EXPECT_EQ(a, b);
  EXPECT_NE(a, store.render("geak/gen", "tritonbench", {}).name);
  store.add_blocks({{"attempt_item", "{{code}}"}});
  std::string c = store.render("geak/gen", "kbx", {}).name;
  EXPECT_NE(a, c) << "items of lists are part of it";
  a = c;
  store.add_blocks({{"rules", "be nice"}});
  EXPECT_NE(a, store.render("geak/gen", "kbx", {}).name);
}

TEST(PromptStore, LeavesOutWhatHasNoTextAndFillsNothingTwice) {
  PromptStore store;
  store.add_blocks({{"a", "A {{x}}"}, {"b", "B {{y}}"}, {"c", "C"}, {"c.odd", "odd"}});
  store.add({.name = "p", .user = {"a", "b", "c"}});
  EXPECT_EQ(store.render("p", "", {{"x", "{{y}} {\"json\": 1}"}}).user, "A {{y}} {\"json\": 1}\n\nC\n");
  EXPECT_EQ(store.render("p", "odd", {{"y", "2"}}).user, "B 2\n\nodd\n");
}

TEST(PromptStore, AUsersFolderIsLaidOverOurs) {
  std::string folder = ::testing::TempDir() + "prompts_of_mine";
  std::filesystem::create_directories(folder + "/geak");
  ASSERT_TRUE(write_file(folder + "/geak/gen.toml", "user = [\"hello\", \"answer_json\"]\n[blocks]\nhello = \"Mine.\"\n"));
  ASSERT_TRUE(write_file(folder + "/blocks.toml", "[blocks]\nanswer_json = \"JSON please.\"\n"));
  auto store = load_prompts({kRoot + "/prompts", folder});
  ASSERT_TRUE(store) << store.error().text();
  EXPECT_EQ(store->render("geak/gen", "kbx", {}).user, "Mine.\n\nJSON please.\n");
  EXPECT_NE(store->find("geak/judge"), nullptr);
  EXPECT_FALSE(load_prompts({folder + "/nowhere"}));
}

TEST(PromptStore, AFaultIsSaidWithItsPlace) {
  PromptStore store;
  EXPECT_THAT(parse_prompt("user = [\"a\"]\n[blocks]\na = \"x {{Bad Name}}\"\n", "p.toml", "p", store).error().message, HasSubstr("p.toml:3:1: block 'a'"));
  EXPECT_THAT(parse_prompt("usr = [\"a\"]\n", "p.toml", "p", store).error().message, HasSubstr("did you mean 'user'"));
  ASSERT_TRUE(parse_prompt("user = [\"a\"]\n", "p.toml", "p", store));
  EXPECT_THAT(store.check("p", "kbx").error().message, HasSubstr("names the block 'a', which nobody wrote"));
  EXPECT_THAT(store.check("q", "kbx").error().message, HasSubstr("there is no prompt 'q'"));
}

TEST(MethodToml, AUsersMethodMayBeLikeAnother) {
  Methods methods = presets();
  auto read = parse_methods("[methods.mine]\nlike = \"geak\"\nmodel = \"small\"\nrounds = 7\ncompat = \"upstream\"\nextract = \"upstream\"\n"
                            "roles = { judge = { prompt = \"geak/judge\", model = \"cheap\", temperature = 0.0 } }\n",
                            "my.toml", methods);
  ASSERT_TRUE(read) << read.error().text();
  const Method& m = methods["mine"];
  EXPECT_EQ(m.loop, LoopKind::evolve);
  EXPECT_EQ(m.evolve.rounds, 7);
  EXPECT_EQ(m.evolve.slots, 4);
  EXPECT_EQ(m.roles.at("judge").model, "cheap");
  EXPECT_EQ(m.roles.at("judge").temperature, 0.0);
  EXPECT_EQ(m.roles.at("generator").prompt, "geak/gen");
  EXPECT_EQ(m.quirks.size(), 7u);
  EXPECT_EQ(m.extract, intake::ExtractMode::upstream);
  EXPECT_EQ(method_json(m)["setting"]["rounds"], 7);
}

TEST(MethodToml, EveryFaultIsSaidWithItsPlace) {
  EXPECT_THAT(fault("[methods.x]\nloop = \"evolv\"\n"), HasSubstr("did you mean \"evolve\""));
  EXPECT_THAT(fault("[methods.x]\nloop = \"evolve\"\nslotz = 3\n"), HasSubstr("my.toml:3:1: [methods.x]: unknown key 'slotz'; did you mean 'slots'?"));
  EXPECT_THAT(fault("[methods.x]\nloop = \"single_pass\"\nslots = 3\n"), HasSubstr("unknown key 'slots'"));
  EXPECT_THAT(fault("[methods.x]\nmodel = \"m\"\n"), HasSubstr("'loop' is missing"));
  EXPECT_THAT(fault("[methods.x]\nlike = \"gek\"\n"), HasSubstr("no method 'gek' to be like; did you mean 'geak'?"));
  EXPECT_THAT(fault("[methods.x]\nlike = \"geak\"\nrounds = 0\n"), HasSubstr("rounds = 0 must lie in 1..1000"));
  EXPECT_THAT(fault("[methods.x]\nlike = \"geak\"\ntemperature = 3\n"), HasSubstr("must be a number in 0..2, or \"unset\""));
  EXPECT_THAT(fault("[methods.x]\nlike = \"geak\"\nroles = { generater = \"a\" }\n"), HasSubstr("has no role 'generater'; did you mean 'generator'?"));
  EXPECT_THAT(fault("[methods.x]\nlike = \"geak\"\nquirks = [\"nose\"]\n"), HasSubstr("there is no quirk 'nose'"));
  EXPECT_THAT(fault("[methods.x]\nlike = \"geak\"\ncompat = \"fixed\"\nquirks = []\n"), HasSubstr("not both"));
  EXPECT_THAT(fault("[methods.x]\nlike = \"kernelagent\"\noptimise = { keep = 0, steps = 1 }\n"), HasSubstr("unknown key 'steps'"));
  EXPECT_THAT(fault("[providers.x]\n"), HasSubstr("unknown key 'providers'"));
  EXPECT_THAT(fault(""), HasSubstr("no [methods.NAME] table"));
  EXPECT_THAT(fault("[methods.x\n"), HasSubstr("my.toml:1"));
  std::string two = fault("[methods.x]\nloop = \"evolve\"\nrounds = -1\nslots = \"a\"\n");
  EXPECT_THAT(two, HasSubstr("rounds = -1"));
  EXPECT_THAT(two, HasSubstr("'slots' must be an integer"));
}

TEST(MethodToml, EveryQuirkHasItsName) {
  for (const auto& [name, method] : presets())
    for (Quirk quirk : quirks_of(method)) EXPECT_EQ(quirk_from_text(to_text(quirk)), quirk);
  EXPECT_EQ(quirk_from_text("x"), std::nullopt);
}

}  // namespace
}  // namespace kbx::agent
