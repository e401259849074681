// Batch files: what is written for each vendor, and what a result file gives back.
#include "llm/batch.h"

#include <unistd.h>

#include <filesystem>
#include <set>

#include "base/files.h"
#include "llm/prompt_folder.h"
#include "samples.h"

namespace kbx::llm {
namespace {

namespace fs = std::filesystem;

BatchCall call(const std::string& task, int slot = 0, DialectName d = DialectName::anthropic, const std::string& model = "claude-sonnet-4-5") {
  BatchCall c{simple_request(), model_of(d, model), "key-" + task + std::to_string(slot)};
  c.request.id = {task, "generator", 0, slot, 0};
  return c;
}

Provider vendor(DialectName d) {
  Provider p = provider_at(d, d == DialectName::anthropic ? "https://api.anthropic.com" : "https://api.openai.com/v1");
  p.name = d == DialectName::anthropic ? "claude" : "oai";
  p.key_env = "SOME_KEY";
  return p;
}

BatchFiles made(const std::vector<BatchCall>& calls, DialectName d, BatchLimits limits = {1000, 1 << 20}) {
  auto out = make_batch(calls, vendor(d), limits);
  EXPECT_TRUE(out) << (out ? "" : out.error().message);
  return out ? *out : BatchFiles{};
}

std::string anthropic_ok(const std::string& id, const std::string& text) {
  return R"({"custom_id":")" + id + R"(","result":{"type":"succeeded","message":{"id":"msg","type":"message","role":"assistant","model":"claude-x","content":[{"type":"text","text":")" + text +
         R"("}],"stop_reason":"end_turn","usage":{"input_tokens":10,"output_tokens":4}}}})";
}
std::string openai_ok(const std::string& id, const std::string& text) {
  return R"({"id":"batch_req_1","custom_id":")" + id + R"(","response":{"status_code":200,"request_id":"r","body":{"id":"chatcmpl","model":"gpt-x","choices":[{"index":0,"message":{"role":"assistant","content":")" + text +
         R"("},"finish_reason":"length"}],"usage":{"prompt_tokens":10,"completion_tokens":4}}},"error":null})";
}

// A folder of its own for each test.
fs::path fresh_folder() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  fs::path folder = fs::path(testing::TempDir()) / ("kbx_batch_" + std::string(info->name()) + std::to_string(::getpid()));
  fs::remove_all(folder);
  return folder;
}

TEST(Batch, CustomIdsFitTheVendorsAndDiffer) {
  std::set<std::string> seen;
  std::vector<CallId> ids{{"softmax", "generator", 0, 2, 0}, {"softmax", "generator", 0, 2, 1}, {"soft/max", "generator", 0, 2, 0}, {"soft_max", "generator", 0, 2, 0}, {"soft\xC3\xA4max", "g", 0, 0, 0},
                          {"", "", 0, 0, 0}, {"a", "b/0", 0, 0, 0}, {"a/b", "0", 0, 0, 0}, {std::string(300, 'x'), std::string(300, 'y'), 2147483647, 2147483647, 2147483647}, {std::string(301, 'x'), std::string(300, 'y'), 2147483647, 2147483647, 2147483647}};
  for (const CallId& id : ids) {
    std::string text = custom_id_of(id);
    EXPECT_TRUE(seen.insert(text).second) << text;
    EXPECT_LE(text.size(), 64u);
    EXPECT_EQ(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"), text.npos) << text;
    EXPECT_EQ(custom_id_of(id), text);
  }
  EXPECT_EQ(custom_id_of(ids[0]).substr(0, 24), "softmax_generator_0_2_0-");
}

TEST(Batch, AnthropicFileIsTheBodyOfItsEndpoint) {
  BatchFiles b = made({call("softmax"), call("matmul")}, DialectName::anthropic);
  ASSERT_EQ(b.files.size(), 1u);
  EXPECT_EQ(b.files[0].name, "requests-001.json");
  auto json = parse_json(b.files[0].bytes);
  ASSERT_TRUE(json);
  const Json& requests = get(*json, "requests");
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(dump_json(requests[0]), R"({"custom_id":")" + custom_id_of({"softmax", "generator", 0, 0, 0}) +
                                        R"(","params":{"model":"claude-sonnet-4-5","max_tokens":1000,"messages":[{"role":"user","content":"Write a softmax."}]}})");
}

TEST(Batch, OpenAiFileHasALineEachAndOneModel) {
  BatchFiles b = made({call("a", 0, DialectName::openai, "gpt-4o"), call("b", 0, DialectName::openai, "gpt-5"), call("c", 0, DialectName::openai, "gpt-4o")}, DialectName::openai);
  ASSERT_EQ(b.files.size(), 2u);
  EXPECT_EQ(b.files[0].name, "requests-001.jsonl");
  EXPECT_EQ(b.files[0].requests, 2u);
  std::string first = b.files[0].bytes.substr(0, b.files[0].bytes.find('\n'));
  EXPECT_EQ(first, R"({"custom_id":")" + custom_id_of({"a", "generator", 0, 0, 0}) +
                       R"(","method":"POST","url":"/v1/chat/completions","body":{"model":"gpt-4o","messages":[{"role":"user","content":"Write a softmax."}],"max_tokens":1000}})");
  EXPECT_NE(b.files[1].bytes.find("\"gpt-5\""), std::string::npos);
  EXPECT_EQ(b.files[1].bytes.find("\"gpt-4o\""), std::string::npos);
}

TEST(Batch, LimitsOfCountAndSizeMakeSeveralFiles) {
  for (DialectName d : {DialectName::anthropic, DialectName::openai}) {
    std::vector<BatchCall> calls;
    for (int k = 0; k < 10; k++) calls.push_back(call("t", k, d, d == DialectName::anthropic ? "claude-sonnet-4-5" : "gpt-4o"));
    auto by_count = made(calls, d, {4, 1 << 20});
    EXPECT_EQ(by_count.files.size(), 3u);
    EXPECT_EQ(by_count.files[2].requests, 2u);
    auto by_size = made(calls, d, {1000, 700});
    EXPECT_GT(by_size.files.size(), 2u);
    size_t all = 0;
    for (const BatchFile& f : by_size.files) {
      EXPECT_LE(f.bytes.size(), 700u);
      all += f.requests;
    }
    EXPECT_EQ(all, 10u);
    auto none = make_batch(calls, vendor(d), {1000, 100});
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("t/generator/0/0/0"), std::string::npos);
  }
  EXPECT_EQ(batch_limits(Protocol::anthropic).requests, 100000u);
  EXPECT_EQ(batch_limits(Protocol::openai).bytes, 200000000u);
}

TEST(Batch, TwoCallsOfOnePlaceAreRefused) {
  auto out = make_batch({call("a"), call("a")}, vendor(DialectName::anthropic), {10, 10000});
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, Code::usage);
}

TEST(Batch, TheIndexComesBack) {
  BatchIndex index = made({call("softmax"), call(std::string(200, 'n') + "/\"odd\" name", 3)}, DialectName::anthropic).index;
  auto back = parse_index(dump_index(index));
  ASSERT_TRUE(back);
  EXPECT_EQ(dump_index(*back), dump_index(index));
  EXPECT_EQ(back->calls.at(custom_id_of({"softmax", "generator", 0, 0, 0})).key, "key-softmax0");
  std::string changed = dump_index(index);
  changed.replace(changed.find("\"softmax\""), 9, "\"saftmax\"");
  EXPECT_FALSE(parse_index(changed));
  EXPECT_NE(parse_index("{}").error().message.find("not the index"), std::string::npos);
  EXPECT_NE(parse_index(R"({"format":"kbx batch 2"})").error().message.find("another version"), std::string::npos);
}

TEST(Batch, AnthropicResultsOutOfOrderPartialAndFailed) {
  BatchFiles b = made({call("t", 0), call("t", 1), call("t", 2), call("t", 3), call("t", 4)}, DialectName::anthropic);
  auto id = [](int slot) { return custom_id_of({"t", "generator", 0, slot, 0}); };
  BatchResults r = read_batch(anthropic_ok(id(3), "three") + "\r\n\n" +
                                  R"({"custom_id":")" + id(1) + R"(","result":{"type":"errored","error":{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}}})" "\n" +
                                  R"({"custom_id":")" + id(0) + R"(","result":{"type":"expired"}})" "\n" + R"({"custom_id":")" + id(4) + R"(","result":{"type":"canceled"}})",
                              b.index);
  EXPECT_TRUE(r.problems.empty());
  ASSERT_EQ(r.replies.size(), 4u);
  EXPECT_EQ(std::get<ChatReply>(r.replies[0].result).text, "three");
  EXPECT_EQ(std::get<ChatReply>(r.replies[0].result).usage.in, 10);
  EXPECT_EQ(r.replies[0].entry.id.slot, 3);
  EXPECT_EQ(r.replies[0].entry.key, "key-t3");
  EXPECT_EQ(r.replies[1].line, 3u);
  EXPECT_EQ(std::get<ApiError>(r.replies[1].result).fault, ApiFault::overloaded);
  EXPECT_EQ(std::get<ApiError>(r.replies[2].result).fault, ApiFault::timeout);
  EXPECT_TRUE(std::get<ApiError>(r.replies[2].result).retryable);
  EXPECT_EQ(std::get<ApiError>(r.replies[3].result).fault, ApiFault::cancelled);
  EXPECT_EQ(r.missing, (std::vector<CallId>{{"t", "generator", 0, 2, 0}}));
}

TEST(Batch, OpenAiOutputAndErrorFile) {
  std::vector<BatchCall> calls;
  for (int k = 0; k < 5; k++) calls.push_back(call("t", k, DialectName::openai, "gpt-4o"));
  BatchFiles b = made(calls, DialectName::openai);
  auto id = [](int slot) { return custom_id_of({"t", "generator", 0, slot, 0}); };
  BatchResults r = read_batch(openai_ok(id(2), "two") + "\n" + R"({"custom_id":")" + id(0) + R"(","response":null,"error":{"code":"batch_expired","message":"late"}})" "\n" +
                                  R"({"custom_id":")" + id(1) + R"(","response":{"status_code":400,"body":{"error":{"message":"too long","code":"context_length_exceeded"}}},"error":null})" "\n" +
                                  R"({"custom_id":")" + id(3) + R"(","response":null,"error":{"code":"batch_cancelled","message":"c"}})" "\n" + openai_ok(id(4), ""),
                              b.index);
  EXPECT_TRUE(r.problems.empty());
  ASSERT_EQ(r.replies.size(), 5u);
  EXPECT_EQ(std::get<ChatReply>(r.replies[0].result).stop, Stop::length);
  EXPECT_EQ(std::get<ApiError>(r.replies[1].result).fault, ApiFault::timeout);
  EXPECT_EQ(std::get<ApiError>(r.replies[2].result).fault, ApiFault::too_large);
  EXPECT_EQ(std::get<ApiError>(r.replies[3].result).fault, ApiFault::cancelled);
  EXPECT_EQ(std::get<ChatReply>(r.replies[4].result).text, "");
  EXPECT_TRUE(r.missing.empty());
}

TEST(Batch, ABrokenLineIsToldAndTheOthersAreTaken) {
  std::vector<BatchCall> calls;
  for (int k = 0; k < 20; k++) calls.push_back(call("t", k));
  BatchFiles b = made(calls, DialectName::anthropic);
  std::string file = "\xEF\xBB\xBF";
  for (int k = 0; k < 20; k++) {
    std::string line = anthropic_ok(custom_id_of({"t", "generator", 0, k, 0}), "reply");
    file += (k == 16 ? "{\"custom_id\": oops}" : k == 19 ? line.substr(0, 70) : line) + (k == 19 ? "" : "\n");
  }
  BatchResults r = read_batch(file, b.index);
  EXPECT_EQ(r.replies.size(), 18u);
  ASSERT_EQ(r.problems.size(), 2u);
  EXPECT_EQ(r.problems[0].line, 17u);
  EXPECT_EQ(r.problems[1].line, 20u);
  EXPECT_NE(r.problems[1].message.find("cut"), std::string::npos);
  EXPECT_EQ(r.missing.size(), 2u);
}

TEST(Batch, StrangeLinesAreToldAndAReplyBeatsAnError) {
  BatchFiles b = made({call("t", 0), call("t", 1)}, DialectName::anthropic);
  std::string zero = custom_id_of({"t", "generator", 0, 0, 0});
  BatchResults r = read_batch(R"({"custom_id":")" + zero + R"(","result":{"type":"expired"}})" "\n" + anthropic_ok(zero, "late") + "\n" + anthropic_ok(zero, "later") + "\n" + anthropic_ok("stranger", "x") + "\n[1]\n{}\n" +
                                  R"({"custom_id":")" + zero + R"(","result":{"type":"expired"}})",
                              b.index);
  ASSERT_EQ(r.replies.size(), 1u);
  EXPECT_EQ(std::get<ChatReply>(r.replies[0].result).text, "late");
  EXPECT_EQ(r.replies[0].line, 2u);
  ASSERT_EQ(r.problems.size(), 4u);
  EXPECT_NE(r.problems[0].message.find("second reply"), std::string::npos);
  EXPECT_NE(r.problems[1].message.find("stranger"), std::string::npos);
  EXPECT_NE(r.problems[3].message.find("custom_id"), std::string::npos);
}

TEST(Batch, AFolderIsWrittenAndReadBack) {
  fs::path folder = fresh_folder();
  auto written = export_batch(folder, {call("a"), call("b")}, vendor(DialectName::anthropic));
  ASSERT_TRUE(written) << written.error().message;
  std::string readme = *read_file(folder / "README.md");
  EXPECT_NE(readme.find("https://api.anthropic.com/v1/messages/batches"), std::string::npos);
  EXPECT_NE(readme.find("$SOME_KEY"), std::string::npos);
  auto again = export_batch(folder, {call("a")}, vendor(DialectName::anthropic));
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("holds a batch already"), std::string::npos);
  ASSERT_TRUE(write_file(folder / "results.jsonl", anthropic_ok(custom_id_of({"b", "generator", 0, 0, 0}), "B")));
  auto results = import_batch({folder / "results.jsonl"});
  ASSERT_TRUE(results) << results.error().message;
  EXPECT_EQ(results->replies.size(), 1u);
  EXPECT_EQ(results->missing.size(), 1u);
  auto none = import_batch({folder / "nosuchfile"});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("nosuchfile"), std::string::npos) << "the file that was named, not the index";
  fs::create_directories(folder / "elsewhere");
  ASSERT_TRUE(write_file(folder / "elsewhere" / "results.jsonl", "{}"));
  auto lost = import_batch({folder / "elsewhere" / "results.jsonl"});
  ASSERT_FALSE(lost);
  EXPECT_NE(lost.error().message.find("index.json"), std::string::npos);
  fs::remove_all(folder);
}

TEST(PromptFolder, PromptsGoOutAndRepliesComeBack) {
  fs::path folder = fresh_folder();
  BatchCall a = call("a"), b = call("b"), c = call("c"), d = call("d");
  a.request.system = "You write kernels.";
  b.request.messages = {{Speaker::user, "One", false}, {Speaker::assistant, "Two", false}, {Speaker::user, "Three", false}};
  auto n = export_prompts(folder, {a, b, c, d});
  ASSERT_TRUE(n) << n.error().message;
  EXPECT_EQ(*n, 4u);
  auto name = [](const BatchCall& x, const char* end) { return custom_id_of(x.request.id) + end; };
  EXPECT_EQ(*read_file(folder / name(a, ".prompt.md")), "You write kernels.\n\nWrite a softmax.\n");
  EXPECT_EQ(*read_file(folder / name(b, ".prompt.md")), "## Question\n\nOne\n\n## Your reply\n\nTwo\n\n## Question\n\nThree\n\n");
  ASSERT_TRUE(write_file(folder / name(a, ".reply.md"), "\xEF\xBB\xBF<think>hm</think>\n```python\nx\n```\n"));
  ASSERT_TRUE(write_file(folder / name(b, ".reply.txt"), "plain"));
  ASSERT_TRUE(write_file(folder / name(c, ".reply.md"), " \n"));
  ASSERT_TRUE(write_file(folder / name(d, ".reply.md"), "\xFF\xFEh"));
  ASSERT_TRUE(write_file(folder / "other.reply.md", "x"));
  auto r = import_replies(folder);
  ASSERT_TRUE(r) << r.error().message;
  ASSERT_EQ(r->replies.size(), 2u);
  for (const BatchReply& one : r->replies) {
    const ChatReply& reply = std::get<ChatReply>(one.result);
    EXPECT_TRUE(reply.usage.estimated);
    EXPECT_GT(reply.usage.in, 0);
    if (one.entry.id.task == "a") {
      EXPECT_EQ(reply.text, "\n```python\nx\n```\n");
      EXPECT_EQ(reply.reasoning, "hm");
    }
  }
  EXPECT_EQ(r->problems.size(), 3u);
  EXPECT_EQ(r->missing.size(), 2u);
  EXPECT_FALSE(export_prompts(folder, {a}));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace kbx::llm
