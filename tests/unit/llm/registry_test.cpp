// Providers and models from TOML: what is read, and that every fault is named at its place.
#include "llm/registry.h"

#include <gmock/gmock.h>

#include "base/files.h"
#include "llm/provider_keys.h"

namespace kbx::llm {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kBase = "[providers.p]\nbase_url = 'https://api.example.com/'\n[models.m]\nprovider = 'p'\nid = 'x'\n";

std::string faults(const std::string& text) {
  auto r = read_registry({{"k.toml", text}});
  return r ? "" : r.error().message;
}

TEST(Registry, WhatIsShippedIsFine) {
  auto r = load_registry(KBX_SOURCE_DIR "/src/llm/models.toml", "");
  ASSERT_TRUE(r) << r.error().message;
  EXPECT_EQ(r->providers.at("anthropic").dialect, DialectName::anthropic);
  EXPECT_EQ(r->providers.at("anthropic").protocol, Protocol::anthropic);
  for (const auto& [name, model] : r->models) {
    EXPECT_TRUE(r->providers.contains(model.provider)) << name;
    if (model.price.in || model.price.out) EXPECT_EQ(model.price.date.size(), 10u) << name << ": a price has its day";
    if (!model.contamination.empty()) EXPECT_NE(model.source, "") << name;
  }
}

TEST(Registry, EveryKeyIsRead) {
  auto r = read_registry({{"k.toml", R"(
jobs = 3
[providers.p]
dialect = "vllm"
base_url = "http://127.0.0.1:8000/v1/"
key_env = "A_KEY"
key_cmd = "pass show a"
proxy = "http://proxy:3128"
ca_bundle = "/etc/ca.pem"
rpm = 60
itpm = 1e5
otpm = 2e4
concurrency = 12
retries = 3
connect_seconds = 1.5
first_token_seconds = 2
idle_seconds = 3
total_seconds = 4
[models.m]
provider = "p"
id = "org/model"
context = 32768
max_output = 8192
price = { in = 0.5, cached = 0.05, cache_write = 0.6, out = 1, date = "2026-01-31" }
contamination = ["KernelBench"]
source = "a paper"
sampling = false
temperature_max = 1.5
effort = true
seed = false
[methods.x]
whatever = 1
)"}});
  ASSERT_TRUE(r) << r.error().message;
  const Provider& p = r->providers.at("p");
  EXPECT_EQ(p.base_url, "http://127.0.0.1:8000/v1");
  EXPECT_EQ(p.dialect, DialectName::vllm);
  EXPECT_EQ(p.key_env + p.key_cmd + p.proxy + p.ca_bundle, "A_KEYpass show ahttp://proxy:3128/etc/ca.pem");
  EXPECT_EQ(p.limits.requests_per_minute, 60);
  EXPECT_EQ(p.limits.input_tokens_per_minute, 1e5);
  EXPECT_EQ(p.limits.output_tokens_per_minute, 2e4);
  EXPECT_EQ(p.limits.concurrency, 12);
  EXPECT_EQ(p.retries, 3);
  EXPECT_EQ(p.deadlines.connect, 1.5);
  EXPECT_EQ(p.deadlines.total, 4);
  const Model& m = r->models.at("m");
  EXPECT_EQ(m.id, "org/model");
  EXPECT_EQ(m.can.context, 32768);
  EXPECT_EQ(m.can.max_output, 8192);
  EXPECT_FALSE(m.can.sampling);
  EXPECT_TRUE(m.can.effort);
  EXPECT_EQ(m.can.temperature_max, 1.5);
  EXPECT_EQ(m.price.in, 0.5);
  EXPECT_EQ(m.price.cached, 0.05);
  EXPECT_EQ(m.price.cache_write, 0.6);
  EXPECT_EQ(m.price.out, 1.0);
  EXPECT_EQ(m.price.date, "2026-01-31");
  EXPECT_THAT(m.contamination, testing::ElementsAre("KernelBench"));
}

TEST(Registry, ALaterFileReplacesSingleKeys) {
  std::string own = "[providers.p]\nrpm = 5\n[models.m]\nprice = { in = 2 }\n[models.n]\nprovider = 'p'\nid = 'y'\n";
  auto r = read_registry({{"shipped.toml", std::string(kBase) + "price = { in = 1, out = 3 }\n"}, {"kbx.toml", own}});
  ASSERT_TRUE(r) << r.error().message;
  EXPECT_EQ(r->providers.at("p").base_url, "https://api.example.com");
  EXPECT_EQ(r->providers.at("p").limits.requests_per_minute, 5);
  EXPECT_EQ(r->models.at("m").price.in, 2);
  EXPECT_EQ(r->models.at("m").price.out, 3);
  EXPECT_EQ(r->models.at("n").id, "y");
  EXPECT_FALSE(r->models.at("n").price.in) << "not known is not zero";
}

TEST(Registry, CapabilitiesFollowFromTheIdUntilTheyAreSaid) {
  std::string text = "[providers.p]\nkind = 'anthropic'\nbase_url = 'https://a.example'\n[models.m]\nprovider = 'p'\nid = 'claude-opus-4-8'\n";
  EXPECT_FALSE(read_registry({{"k", text}})->models.at("m").can.sampling);
  EXPECT_TRUE(read_registry({{"k", text + "sampling = true\n"}})->models.at("m").can.sampling);
}

TEST(Registry, KeysInTheFileAreRefusedAndNeverQuoted) {
  for (const char* line : {"api_key = 'sekret-1'", "key = 'sekret-1'", "token = 'sekret-1'", "key_env = 'sk-ant-sekret-1'", "proxy = 'Bearer sekret-1'"}) {
    std::string message = faults("[providers.p]\nbase_url = 'https://a.example'\n" + std::string(line));
    EXPECT_THAT(message, testing::AllOf(HasSubstr("k.toml:3:1: [providers.p]"), HasSubstr("kbx reads no keys from files"), Not(HasSubstr("sekret-1")))) << line;
  }
  for (const char* url : {"https://me:sekret-1@a.example", "https://a.example/v1?key=sekret-1"}) {
    std::string message = faults("[providers.p]\nbase_url = '" + std::string(url) + "'");
    EXPECT_THAT(message, testing::AllOf(HasSubstr("holds a user or a query"), Not(HasSubstr("sekret-1"))));
  }
  std::string proxy = faults("[providers.p]\nbase_url = 'https://a.example'\nproxy = 'http://me:sekret-1@proxy:3128'");
  EXPECT_THAT(proxy, testing::AllOf(HasSubstr("k.toml:3:1: [providers.p]: 'proxy' holds a user"), Not(HasSubstr("sekret-1"))));
  EXPECT_THAT(faults("[providers.p]\nbase_url = 'https://a.example'\nkey_env = 'not a name'"), HasSubstr("must be the name of an environment variable"));
}

TEST(Registry, PlainHttpOnlyToThisMachine) {
  for (const char* url : {"http://127.0.0.1:8000", "http://localhost/v1", "http://[::1]:80/v1", "http://127.1.2.3", "https://anything.example"})
    EXPECT_EQ(faults("[providers.p]\nbase_url = '" + std::string(url) + "'"), "") << url;
  for (const char* url : {"http://10.0.0.1", "http://api.example.com", "http://127.example.com", "http://127.0.0.1.example.com", "http://localhost.example.com", "http://127.0.0.evil"})
    EXPECT_THAT(faults("[providers.p]\nbase_url = '" + std::string(url) + "'"), HasSubstr("in the clear")) << url;
  for (const char* url : {"ftp://a", "api.example.com", "https://"}) EXPECT_THAT(faults("[providers.p]\nbase_url = '" + std::string(url) + "'"), HasSubstr("must begin with https://")) << url;
}

TEST(Registry, EveryFaultHasItsPlaceAndAHint) {
  std::string message = faults("[providers.p]\nbaseurl = 'https://a'\ndialect = 'vlm'\nconcurrency = 0\n[models.m]\nprovider = 'p'\nid = 3\nprice = { inn = 1 }\n");
  EXPECT_THAT(message, HasSubstr("k.toml:2:1: [providers.p]: unknown key 'baseurl'; did you mean 'base_url'?"));
  EXPECT_THAT(message, HasSubstr("k.toml:3:1: dialect = \"vlm\" is not known (did you mean \"vllm\"?)"));
  EXPECT_THAT(message, HasSubstr("k.toml:4:1: [providers.p]: 'concurrency' must be at least 1"));
  EXPECT_THAT(message, HasSubstr("k.toml:7:1: 'id' must be a string"));
  EXPECT_THAT(message, HasSubstr("unknown key 'inn'"));
  EXPECT_THAT(faults("[providers.p]\nkind = 'openai'\ndialect = 'anthropic'\nbase_url = 'https://a.b'"), HasSubstr("is not of kind"));
}

TEST(Registry, EveryKeyStandsInTheDocument) {
  std::string text = *read_file(KBX_SOURCE_DIR "/docs/transport.md");
  for (toml::Keys keys : {provider_keys(), model_keys()})
    for (const toml::Key& key : keys) EXPECT_THAT(text, HasSubstr("`" + std::string(key.name) + "`"));
}

TEST(Registry, NamesThatLeadNowhereAreNamed) {
  EXPECT_THAT(faults(std::string(kBase) + "[models.n]\nprovider = 'q'\nid = 'x'"), HasSubstr("[models.n]: there is no [providers.q]; known: p"));
  EXPECT_THAT(faults("[models.n]\nid = 'x'"), HasSubstr("[models.n]: 'provider' is missing"));
  EXPECT_THAT(faults("[providers.p]\nkey_env = 'A'"), HasSubstr("[providers.p]: 'base_url' is missing"));
  EXPECT_THAT(faults("providers = 3"), HasSubstr("must be tables"));
}

}  // namespace
}  // namespace kbx::llm
