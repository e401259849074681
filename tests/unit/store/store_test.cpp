// store: append-only, one transaction a job, resumable, honest about damage. A real SQLite file every time.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "store/record_json.h"
#include "store/store.h"

namespace kbx::store {
namespace {

struct Stores : testing::Test {
  std::filesystem::path dir = std::filesystem::temp_directory_path() / ("kbx_store_" + std::to_string(::getpid()));
  Stores() { std::filesystem::remove_all(dir); }
  ~Stores() override { std::filesystem::remove_all(dir); }
};

Record sample(const std::string& key, int64_t ordinal) {
  Record r;
  r.job_key = key;
  r.ordinal = ordinal;
  r.candidate = "c" + key;
  r.task = "softmax";
  r.category = "math";
  r.verdict = Verdict::wrong_value;
  r.paper = Verdict::correct;
  r.call_ok = true;
  r.seed = 0xfedcba9876543210u;
  r.explanation = "quote \" and \xff byte";
  r.findings = {{Layer::judge, "wrong_value", Severity::reject, "m", 3, 1}};
  CaseJudgement c;
  c.case_name = "rows";
  c.phase = "outlier";
  c.judgements.kbx.path = "result";
  c.judgements.kbx.verdict = Verdict::wrong_value;
  c.judgements.kbx.metrics.max_abs = NAN;
  c.judgements.kbx.expected = INFINITY;
  c.judgements.kbx.index = {1, 2};
  r.judgements = {c};
  r.compiled = {{"k", 90, true, 32, 0, 0, 0, 1024, 4, 3, 0.1, ""}};
  r.ops = {{"mm", 2}};
  r.stage_seconds = {{"judge", 0.5}};
  return r;
}

}  // namespace

TEST_F(Stores, RecordsComeBackInInputOrderAndWhole) {
  auto store = Store::open(dir);
  ASSERT_TRUE(store) << store.error().text();
  ASSERT_TRUE(store->append(sample("b", 1)));
  ASSERT_TRUE(store->append(sample("a", 0)));
  std::vector<Record> got;
  ASSERT_TRUE(store->each([&](const Record& r) {
    got.push_back(r);
    return true;
  }));
  ASSERT_EQ(got.size(), 2u);
  EXPECT_EQ(got[0].job_key, "a");
  const Record& r = got[1];
  EXPECT_EQ(r.verdict, Verdict::wrong_value);
  EXPECT_EQ(r.seed, 0xfedcba9876543210u);
  EXPECT_EQ(r.explanation, "quote \" and \xEF\xBF\xBD byte");
  EXPECT_TRUE(std::isnan(r.judgements.at(0).judgements.kbx.metrics.max_abs));
  EXPECT_TRUE(std::isinf(r.judgements.at(0).judgements.kbx.expected));
  EXPECT_EQ(r.judgements.at(0).judgements.kbx.index, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(r.compiled.at(0).registers, 32);
  EXPECT_EQ(r.ops.at("mm"), 2);
  EXPECT_EQ(r.stage_seconds.at("judge"), 0.5);
}

TEST_F(Stores, AKeyIsWrittenOnce) {
  auto store = Store::open(dir);
  ASSERT_TRUE(store);
  ASSERT_TRUE(store->append(sample("a", 0)));
  EXPECT_FALSE(store->append(sample("a", 1)));
  EXPECT_EQ(*store->count(), 1);
  ASSERT_TRUE(store->append(sample("b", 1)));  // the failed transaction left nothing behind
  EXPECT_EQ(store->keys()->size(), 2u);
}

TEST_F(Stores, AHarnessErrorMayBeTriedAgainAndTheLastAttemptCounts) {
  auto store = Store::open(dir);
  ASSERT_TRUE(store);
  Record failed = sample("a", 0);
  failed.verdict = Verdict::harness_error;
  ASSERT_TRUE(store->append(failed));
  EXPECT_TRUE(store->keys()->empty());
  ASSERT_TRUE(store->append(sample("a", 0)));
  EXPECT_EQ(store->keys()->size(), 1u);
  EXPECT_EQ(*store->count(), 1);
  EXPECT_EQ(store->find("ca")->value().verdict, Verdict::wrong_value);
  EXPECT_FALSE(store->append(failed));
}

TEST_F(Stores, SurvivesReopeningAndASecondReader) {
  {
    auto store = Store::open(dir);
    ASSERT_TRUE(store);
    ASSERT_TRUE(store->append(sample("a", 0)));
    auto reader = Store::open_for_reading(dir);
    ASSERT_TRUE(reader);
    EXPECT_EQ(*reader->count(), 1);
  }
  auto again = Store::open(dir);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->find("ca")->value().job_key, "a");
  EXPECT_FALSE(again->find("nothing")->has_value());
}

TEST_F(Stores, DamageAndStrangersAreNamed) {
  EXPECT_FALSE(Store::open_for_reading(dir));
  std::filesystem::create_directories(dir);
  std::ofstream(dir / "run.db") << std::string(8192, 'x');
  auto store = Store::open(dir);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("not a kbx run or is damaged"), std::string::npos) << store.error().message;
}

TEST_F(Stores, BlobsAreCheckedWhenRead) {
  auto store = Store::open(dir);
  ASSERT_TRUE(store);
  auto hash = store->put_blob("hello");
  ASSERT_TRUE(hash);
  EXPECT_EQ(*store->put_blob("hello"), *hash);
  EXPECT_EQ(*store->blob(*hash), "hello");
  EXPECT_FALSE(store->blob("../../etc/passwd"));
  std::ofstream(dir / "blobs" / hash->substr(0, 2) / *hash) << "hellO";
  EXPECT_FALSE(store->blob(*hash));
}

TEST_F(Stores, HalfABlobIsWrittenAgain) {
  auto store = Store::open(dir);
  ASSERT_TRUE(store);
  auto hash = store->put_blob("hello");
  std::filesystem::resize_file(dir / "blobs" / hash->substr(0, 2) / *hash, 2);
  EXPECT_FALSE(store->blob(*hash));
  ASSERT_TRUE(store->put_blob("hello"));
  EXPECT_EQ(*store->blob(*hash), "hello");
}

TEST_F(Stores, WhatAKilledWriterLeftIsRemoved) {
  std::filesystem::create_directories(dir / "blobs" / "ab");
  for (const char* name : {"run.json.tmp17", "blobs/ab/abcd.tmp4"}) std::ofstream(dir / name) << "half";
  ASSERT_TRUE(Store::open(dir));
  EXPECT_FALSE(std::filesystem::exists(dir / "run.json.tmp17"));
  EXPECT_FALSE(std::filesystem::exists(dir / "blobs/ab/abcd.tmp4"));
}

TEST_F(Stores, ARunWhoseDatabaseIsGoneDoesNotBeginAnew) {
  {
    auto store = Store::open(dir);
    ASSERT_TRUE(store);
    ASSERT_TRUE(store->put_fact("config", {{"seed", "7"}}));
  }
  std::filesystem::resize_file(dir / "run.db", 0);
  EXPECT_FALSE(Store::open_for_reading(dir));
  auto again = Store::open(dir);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("restore"), std::string::npos) << again.error().message;
  std::filesystem::remove(dir / "run.db");
  EXPECT_FALSE(Store::open(dir));
}

TEST_F(Stores, AGarbagePageIsFoundBeforeAnythingIsAdded) {
  {
    auto store = Store::open(dir);
    ASSERT_TRUE(store);
    for (int k = 0; k < 50; k++) ASSERT_TRUE(store->append(sample(std::to_string(k), k)));
  }
  {
    std::fstream file(dir / "run.db", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(std::streamoff(std::filesystem::file_size(dir / "run.db")) / 4096 / 2 * 4096);
    file << std::string(4096, 'x');
  }
  auto store = Store::open(dir);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().message.find("is damaged"), std::string::npos) << store.error().message;
}

TEST_F(Stores, FactsAreCopiedForHumans) {
  auto store = Store::open(dir);
  ASSERT_TRUE(store);
  ASSERT_TRUE(store->put_fact("config", {{"seed", "7"}}));
  EXPECT_EQ((*store->facts())["config"]["seed"], "7");
  EXPECT_TRUE(std::filesystem::exists(dir / "run.json"));
}

TEST(RecordJson, AnUnknownVerdictIsAnError) {
  Json j = to_json(sample("a", 0));
  j["verdict"] = "splendid";
  EXPECT_FALSE(record_from_json(j));
}

}  // namespace kbx::store
