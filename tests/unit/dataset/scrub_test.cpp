// Secrets go, code stays.
#include "dataset/scrub.h"

#include <gtest/gtest.h>

namespace kbx::dataset {
namespace {

std::string scrubbed(std::string_view text) {
  ScrubCounts counts;
  std::string once = scrub(text, counts), twice = scrub(once, counts);
  EXPECT_EQ(once, twice) << "not idempotent";
  return once;
}

TEST(Scrub, keys_of_known_services_go) {
  for (std::string key : {"sk-proj-abcdEFGH0123456789xyz", "ghp_abcdefghijklmnopqrstuvwxyz0123456789", "hf_abcdefghijklmnopqrst0123", "AKIAIOSFODNN7EXAMPLE1", "xoxb-123456789012-abcdefghijkl",
                          "AIzaSyA1234567890abcdefghijklmnopqrstuv"})
    EXPECT_EQ(scrubbed("key = \"" + key + "\"  # mine"), "key = \"[REMOVED api key]\"  # mine") << key;
}

TEST(Scrub, tokens_private_keys_and_passwords_go) {
  EXPECT_EQ(scrubbed("Authorization: Bearer abc.def-0123456789xyz"), "Authorization: Bearer [REMOVED token]");
  EXPECT_EQ(scrubbed("a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b"), "a [REMOVED private key] b");
  EXPECT_EQ(scrubbed("https://anna:geheim1@host.example/x"), "https://[REMOVED password]@host.example/x");
  EXPECT_EQ(scrubbed("api_key = 'abcdefgh1234'"), "api_key = '[REMOVED password]'");
  EXPECT_EQ(scrubbed("PASSWORD=hunter2hunter2 run"), "PASSWORD=[REMOVED password] run");
  EXPECT_EQ(scrubbed("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w"), "[REMOVED token]");
}

TEST(Scrub, peoples_names_go) {
  EXPECT_EQ(scrubbed("File \"/home/anna.k/x.py\", line 3"), "File \"/home/user/x.py\", line 3");
  EXPECT_EQ(scrubbed("C:\\Users\\Anna\\x"), "C:\\Users\\user\\x");
  EXPECT_EQ(scrubbed("by anna.k+x@mail.example.org, 2024"), "by [REMOVED address], 2024");
}

TEST(Scrub, code_stays) {
  for (std::string code : {"@triton.jit\ndef kernel(x_ptr, n, BLOCK: tl.constexpr):\n    x = tl.load(x_ptr + i, mask=i < n)\n", "mask = task-specific-kernel-names-are-long-but-no-keys", "a @ b.mT", "x = y@z",
                           "sk-learn is fine", "password = get_password()", "api_key=api_key", "key=['n_elements', 'BLOCK_SIZE']", "secret_key = os.environ['SECRET_KEY']", "eyJ is a name",
                           "https://docs.example.org/a:b@c", "\xc3\xa4\xe2\x82\xac \xf0\x9f\x98\x80"})
    EXPECT_EQ(scrubbed(code), code);
}

TEST(Scrub, escaped_lines_of_a_json_reply_stay_and_hide_nothing) {
  std::string code = R"({"code": "BLOCK = 1024\n\n\n@triton.jit\ndef kernel(x_ptr):\n\t@torch.no_grad\n"})";
  EXPECT_EQ(scrubbed(code), code);
  EXPECT_EQ(scrubbed(R"(by\nanna.k@mail.example.org\n)"), R"(by\n[REMOVED address]\n)");
  EXPECT_EQ(scrubbed(R"(use\nsk-proj-abcdEFGH0123456789xyz\n)"), R"(use\n[REMOVED api key]\n)");
}

TEST(Scrub, counts_what_it_took) {
  ScrubCounts counts;
  scrub("a@b.org c@d.org /home/x/", counts);
  EXPECT_EQ(counts["address"], 2);
  EXPECT_EQ(counts["user name"], 1);
}

TEST(Scrub, long_runs_take_linear_time) {
  std::string text(400000, 'a');
  EXPECT_EQ(scrubbed(text), text);
  std::string dashes(400000, '-');
  EXPECT_EQ(scrubbed(dashes), dashes);
}

}  // namespace
}  // namespace kbx::dataset
