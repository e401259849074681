// Money: what a call costs, what is set aside for it, and what a budget permits.
#include "generate/ledger.h"

#include <gtest/gtest.h>

namespace kbx::generate {
namespace {

TEST(Cost, CountsCachedTokensAtTheirPriceAndKnowsWhatItDoesNotKnow) {
  llm::Price p{3.0, 0.3, 3.75, 15.0, "2026-01-01"};
  EXPECT_DOUBLE_EQ(*cost_of({1000, 400, 100, 200, 50, false}, p), (500 * 3.0 + 400 * 0.3 + 100 * 3.75 + 200 * 15.0) / 1e6);
  p.cached.reset();
  EXPECT_DOUBLE_EQ(*cost_of({1000, 1000, 0, 0, 0, false}, p), 3000 / 1e6) << "without a price of its own a cached token costs as any other";
  p.out.reset();
  EXPECT_FALSE(cost_of({10, 0, 0, 5, 0, false}, p));
  EXPECT_DOUBLE_EQ(*cost_of({}, {}), 0);
}

TEST(Budget, IsReadAndABadOneIsSaid) {
  Budget b;
  ASSERT_TRUE(read_budget("usd=1.5, tokens=2e6,per-task=12", b));
  EXPECT_EQ(b.usd, 1.5);
  EXPECT_EQ(b.tokens, 2000000);
  EXPECT_EQ(b.calls_per_task, 12);
  for (const char* bad : {"usd", "usd=", "usd=x", "eur=5", "usd=-1", "tokens=0", "calls=0.5", "usd=1e99"}) EXPECT_FALSE(read_budget(bad, b)) << bad;
}

TEST(Budget, ABoundThatIsGivenTwiceIsNoBudget) {
  for (const char* name : {"usd", "tokens", "calls", "per-task", "wall"}) {
    Budget one, two;
    auto both = read_budget(std::string(name) + "=5," + name + "=6", one);
    ASSERT_FALSE(both) << name;
    EXPECT_NE(both.error().message.find(std::string("budget of ") + name + " is given twice"), std::string::npos);
    ASSERT_TRUE(read_budget(std::string(name) + "=5", two));
    EXPECT_FALSE(read_budget(std::string(name) + "=5", two)) << "in two flags, " << name;
  }
}

TEST(Budget, MoneyNeedsPricesAndEveryBoundNeedsAnEnd) {
  Budget b;
  b.usd = 1;
  llm::Model m;
  EXPECT_FALSE(check_budget(b, m, 100));
  m.price.in = m.price.out = 1;
  EXPECT_TRUE(check_budget(b, m, 100));
  EXPECT_FALSE(check_budget(b, m, 0));
  m.can.max_output = 1000;
  EXPECT_TRUE(check_budget(b, m, 0));
}

TEST(Ledger, SetsAsideTheMostThatACallCanCost) {
  Budget b;
  b.tokens = 1000;
  Ledger ledger(b);
  llm::Model m;
  ChatRequest r;
  r.id = {"t", "s", 0, 0, 0};
  r.max_tokens = 400;
  int64_t most = most_input_tokens(r) + 400;
  ASSERT_GT(2 * most, 1000 - 100);
  ASSERT_EQ(ledger.reserve(r, m), Ledger::Answer::yes);
  r.id.slot = 1;
  r.max_tokens = 500;
  EXPECT_EQ(ledger.reserve(r, m), Ledger::Answer::wait) << "it fits only if the first costs less than its most";
  ledger.settle({"t", "s", 0, 0, 0}, {10, 0, 0, 10, 0, false}, std::nullopt, true, 1, true);
  EXPECT_EQ(ledger.reserve(r, m), Ledger::Answer::yes);
  ledger.settle(r.id, {500, 0, 0, 400, 0, false}, std::nullopt, true, 1, true);
  r.id.slot = 2;
  EXPECT_EQ(ledger.reserve(r, m), Ledger::Answer::no);
  EXPECT_EQ(ledger.total().unpriced, 2);
}

}  // namespace
}  // namespace kbx::generate
