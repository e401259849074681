// docs/providers.md and the tests that it names are in step.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "base/files.h"

namespace kbx::llm {
namespace {

TEST(ProvidersDoc, EveryWHasARowAndEveryTestInItExists) {
  namespace fs = std::filesystem;
  const fs::path root = KBX_SOURCE_DIR;
  std::string doc = *read_file(root / "docs/providers.md"), tests;
  for (const auto& entry : fs::directory_iterator(root / "tests/unit/llm"))
    if (entry.path().extension() == ".cpp") tests += *read_file(entry.path());
  for (int k = 1; k <= 24; k++) EXPECT_NE(doc.find("| W" + std::to_string(k) + " |"), std::string::npos) << k;
  const std::regex name(R"(`(?:(\w+)\.)?(W\d\d_\w+)`)");
  size_t found = 0;
  std::string suite;
  for (std::sregex_iterator at(doc.begin(), doc.end(), name), end; at != end; ++at, found++) {
    if ((*at)[1].matched) suite = (*at)[1];  // a name alone is of the suite before it
    EXPECT_NE(tests.find("TEST(" + suite + ", " + (*at)[2].str() + ")"), std::string::npos) << suite << "." << (*at)[2];
  }
  EXPECT_GT(found, 30u);
}

}  // namespace
}  // namespace kbx::llm
