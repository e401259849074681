// Words, scores by hand, the corpus.
#include "agent/bm25.h"

#include <gmock/gmock.h>

#include <cmath>

#include "agent/load.h"
#include "base/files.h"

namespace kbx::agent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Bm25, TakesNamesApart) { EXPECT_THAT(words_of("row_softmax(LayerNorm2d, x1);"), ElementsAre("row", "softmax", "layer", "norm2d", "x1")); }

TEST(Bm25, ScoresAsTheFormulaSays) {
  Bm25 index({"sum of rows", "product of rows and rows", "mean"});
  auto top = index.top("rows", 5);
  ASSERT_EQ(top.size(), 2u);
  // N = 3, n = 2, lengths 3, 5, 1, mean 3.
  double idf = std::log(1 + (3 - 2 + 0.5) / (2 + 0.5));
  EXPECT_EQ(top[0].first, 1u);
  EXPECT_NEAR(top[0].second, idf * 2 * 2.5 / (2 + 1.5 * (0.25 + 0.75 * 5 / 3)), 1e-12);
  EXPECT_NEAR(top[1].second, idf * 1 * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 3 / 3)), 1e-12);
}

TEST(Bm25, NothingInCommonIsNoHit) {
  EXPECT_TRUE(Bm25({"a", "b"}).top("c", 3).empty());
  EXPECT_TRUE(Bm25(std::vector<std::string>()).top("c", 3).empty());
  EXPECT_TRUE(Bm25({"a"}).top("", 3).empty());
}

TEST(Bm25, EqualScoresKeepTheirOrder) {
  auto top = Bm25({"x a", "x b", "x c"}).top("x", 2);
  ASSERT_EQ(top.size(), 2u);
  EXPECT_EQ(top[0].first, 0u);
  EXPECT_EQ(top[1].first, 1u);
}

TEST(Corpus, OursIsFoundByWordsAndByCode) {
  auto corpus = load_corpus(std::string(KBX_SOURCE_DIR) + "/prompts/corpus");
  ASSERT_TRUE(corpus) << corpus.error().text();
  EXPECT_GE(corpus->examples().size(), 12u);
  for (const Example& e : corpus->examples()) {
    EXPECT_NE(e.description, "") << e.name;
    EXPECT_THAT(e.code, HasSubstr("@triton.jit")) << e.name;
    auto found = corpus->by_description(e.description, 1);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0]->name, e.name);
    found = corpus->by_code(e.code, 1);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0]->name, e.name);
  }
}

TEST(Corpus, AUsersJsonLinesAreReadUnderTheirSeveralNames) {
  std::string path = ::testing::TempDir() + "corpus_test.jsonl";
  ASSERT_TRUE(write_file(path, "{\"description\": \"sums rows\", \"code\": \"a\"}\n\n{\"instruction\": \"multiplies\", \"output\": \"b\", \"file\": \"mul\"}\n"));
  auto corpus = load_corpus(path);
  ASSERT_TRUE(corpus) << corpus.error().text();
  EXPECT_EQ(corpus->by_description("rows", 1)[0]->code, "a");
  EXPECT_EQ(corpus->by_description("multiplies", 1)[0]->name, "mul");
  ASSERT_TRUE(write_file(path, "{\"description\": \"x\"}\n"));
  EXPECT_THAT(load_corpus(path).error().text(), HasSubstr("corpus_test.jsonl:1: a row of a corpus needs"));
}

}  // namespace
}  // namespace kbx::agent
