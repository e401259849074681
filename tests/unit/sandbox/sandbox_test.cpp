// sandbox: what goes to a worker and, above all, what is believed of what comes back.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "sandbox/arena.h"
#include "sandbox/channel.h"
#include "sandbox/decode.h"
#include "sandbox/encode.h"

namespace kbx::sandbox {
namespace {

Tensor floats(std::vector<float> v) {
  Bytes b(v.size() * 4);
  std::memcpy(b.data(), v.data(), b.size());
  return make_tensor(Dtype::f32, {int64_t(v.size())}, std::move(b));
}
Json parse(const char* text) { return *parse_json(text); }

}  // namespace

TEST(Arenas, AreSealedAgainstResizing) {
  auto arena = Arena::create(100, 100);
  ASSERT_TRUE(arena);
  EXPECT_EQ(arena->input_bytes(), 4096);
  EXPECT_NE(::ftruncate(arena->fd(), 1), 0);
  EXPECT_NE(::ftruncate(arena->fd(), 1 << 20), 0);
}

TEST(Encode, OneStorageIsPlacedOnceWithRedzones) {
  Value a = Value::of_tensor(floats({1, 2, 3, 4}));
  Value view = a;
  view.tensor.shape = {2};
  view.tensor.stride = {2};
  Call call;
  call.args = {a, view};
  call.kwargs.emplace_back("out", a);
  auto e = encode_call(call, {"x", "y"});
  ASSERT_EQ(e.placements.size(), 1u);
  EXPECT_EQ(e.placements[0].at % Arena::kAlign, 0);
  EXPECT_GE(e.placements[0].at, Arena::kRedzone);
  EXPECT_EQ(e.args[0]["at"], e.args[1]["at"]);
  EXPECT_EQ(e.kwargs["out"]["t"], "copy_of");  // the same tensor twice is one object
  EXPECT_EQ(e.kwargs["out"]["v"], "x");
  EXPECT_EQ(e.bytes, e.placements[0].at + 16 + Arena::kRedzone);
}

TEST(Encode, SpecialFloatsSurviveJson) {
  Call call;
  call.args = {Value::of_float(NAN), Value::of_float(-INFINITY), Value::of_float(0.1)};
  auto e = encode_call(call, {"a", "b", "c"});
  EXPECT_EQ(e.args[0]["v"], "nan");
  EXPECT_EQ(e.args[1]["v"], "-inf");
  EXPECT_EQ(e.args[2]["v"], 0.1);
}

struct Decoding : testing::Test {
  Arena arena = std::move(*Arena::create(4096, 8192));
  std::vector<std::string> aliases;
  Result<Value> read(const std::string& text) { return decode_result(*parse_json(text), arena, true, aliases); }
};

TEST_F(Decoding, ATensorIsCopiedFromTheResultArea) {
  float v[2] = {1.5, -2};
  ASSERT_TRUE(arena.write(4096, reinterpret_cast<std::byte*>(v), 8));
  auto r = read(R"({"t":"tensor","dtype":"f32","shape":[2],"at":4096,"bytes":8,"device":"cuda","alias":"input"})");
  ASSERT_TRUE(r);
  float got[2];
  std::memcpy(got, r->tensor.data(), 8);
  EXPECT_EQ(got[1], -2);
  EXPECT_EQ(aliases, (std::vector<std::string>{"result aliases input"}));
}

TEST_F(Decoding, LiesAboutPlaceAndSizeAreRefused) {
  for (const char* lie : {R"({"t":"tensor","dtype":"f32","shape":[2],"at":0,"bytes":8})",                    // inside the inputs
                          R"({"t":"tensor","dtype":"f32","shape":[2],"at":12284,"bytes":8})",                // over the end
                          R"({"t":"tensor","dtype":"f32","shape":[2],"at":4096,"bytes":16})",                // bytes and shape disagree
                          R"({"t":"tensor","dtype":"f32","shape":[-1],"at":4096,"bytes":-4})",
                          R"({"t":"tensor","dtype":"f32","shape":[4611686018427387904,4],"at":4096,"bytes":0})",  // overflow to 0
                          R"({"t":"tensor","dtype":"f32","shape":[2],"at":9223372036854775807,"bytes":8})",
                          R"({"t":"tensor","dtype":"what","shape":[2],"at":4096,"bytes":8})", R"({"t":"tensor"})", R"({"t":"list","v":3})",
                          R"({"t":"dict","k":["a"],"v":[]})"})
    EXPECT_FALSE(read(lie)) << lie;
}

TEST_F(Decoding, DepthAndSizeAreBounded) {
  std::string deep = R"({"t":"none"})";
  for (int k = 0; k < 40; k++) deep = R"({"t":"list","v":[)" + deep + "]}";
  EXPECT_FALSE(read(deep));
}

TEST_F(Decoding, ACpuTensorWhereTheDeviceIsAskedForIsAnObject) {
  auto r = read(R"({"t":"tensor","dtype":"f32","shape":[1],"at":4096,"bytes":4,"device":"cpu"})");
  ASSERT_TRUE(r);
  EXPECT_EQ(r->kind, ValueKind::object);
}

TEST_F(Decoding, UnknownKindsAreObjects) {
  EXPECT_EQ(read(R"({"t":"object","v":"Lazy"})")->text, "Lazy");
  EXPECT_EQ(read("7")->kind, ValueKind::object);
}

TEST(DecodeLists, GarbageIsDroppedNotBelieved) {
  EXPECT_TRUE(decode_launches(parse("7")).empty());
  EXPECT_EQ(decode_launches(parse(R"([{"kernel":3,"grid":"x"}])")).at(0).grid[0], 1);
  EXPECT_TRUE(decode_findings(parse(R"([{"message":"without a rule"}])")).empty());
  EXPECT_EQ(decode_ops(parse(R"({"mm":1,"x":"y"})")).size(), 1u);
  EXPECT_EQ(decode_compiled(parse(R"([{"registers":-5,"arch":99999999999}])")).at(0).registers, 0);
}

struct Pair {
  Channel channel;
  Fd other, printed;
};
Pair make_pair_of() {
  int s[2], p[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
  EXPECT_EQ(::pipe(p), 0);
  return {Channel(Fd(s[0]), Fd(p[0]), 100), Fd(s[1]), Fd(p[1])};
}
void write_frame(int fd, const char* magic, uint16_t version, uint32_t length, uint32_t sequence, const std::string& body) {
  worker::FrameHeader h{{}, version, 4, length, sequence};
  std::memcpy(h.magic, magic, 4);
  EXPECT_EQ(::write(fd, &h, sizeof h), ssize_t(sizeof h));
  EXPECT_EQ(::write(fd, body.data(), body.size()), ssize_t(body.size()));
}
Steady::time_point soon() { return Steady::now() + std::chrono::milliseconds(300); }

TEST(Channels, ReceiveTheAnswerToWhatWasSent) {
  Pair p = make_pair_of();
  ASSERT_TRUE(p.channel.send(worker::FrameType::call, {{"id", 0}}, soon()));
  write_frame(p.other.get(), "KBXW", 1, 2, 1, "{}");
  auto r = p.channel.receive(soon());
  EXPECT_EQ(r.answer, Channel::Answer::frame);
  EXPECT_EQ(r.type, worker::FrameType::returned);
}

TEST(Channels, EveryLieIsBabble) {
  struct Lie {
    const char* magic;
    uint16_t version;
    uint32_t length, sequence;
    const char* body;
  };
  for (Lie lie : {Lie{"XXXX", 1, 2, 1, "{}"}, Lie{"KBXW", 9, 2, 1, "{}"}, Lie{"KBXW", 1, 0xffffffff, 1, ""}, Lie{"KBXW", 1, 2, 7, "{}"}, Lie{"KBXW", 1, 2, 1, "{x"}}) {
    Pair p = make_pair_of();
    ASSERT_TRUE(p.channel.send(worker::FrameType::call, Json::object(), soon()));
    write_frame(p.other.get(), lie.magic, lie.version, lie.length, lie.sequence, lie.body);
    EXPECT_EQ(p.channel.receive(soon()).answer, Channel::Answer::babble) << lie.body;
  }
}

TEST(Channels, SilenceIsATimeoutAndAnEndIsAnEnd) {
  Pair p = make_pair_of();
  EXPECT_EQ(p.channel.receive(soon()).answer, Channel::Answer::timeout);
  p.other.reset();
  EXPECT_EQ(p.channel.receive(soon()).answer, Channel::Answer::closed);
}

TEST(Channels, TimeInWhichThisProcessStoodStillIsNotCounted) {
  Pair p = make_pair_of();
  ASSERT_TRUE(p.channel.send(worker::FrameType::call, Json::object(), soon()));
  pid_t self = ::getpid(), other = ::fork();
  if (other == 0) {  // stops us, when we wait, for longer than our deadline, and answers a moment after we go on
    ::usleep(150'000);
    ::kill(self, SIGSTOP);
    ::usleep(1'500'000);
    ::kill(self, SIGCONT);
    ::usleep(100'000);
    write_frame(p.other.get(), "KBXW", 1, 2, 1, "{}");
    ::_exit(0);
  }
  EXPECT_EQ(p.channel.receive(Steady::now() + std::chrono::milliseconds(600)).answer, Channel::Answer::frame);
  ::waitpid(other, nullptr, 0);
}

TEST(Channels, PrintedOutputIsCutInTheMiddle) {
  Pair p = make_pair_of();
  std::string head(60, 'a'), middle(5000, 'b'), tail(60, 'c');
  std::string all = head + middle + tail;
  ASSERT_EQ(::write(p.printed.get(), all.data(), all.size()), ssize_t(all.size()));
  p.channel.drain();
  EXPECT_EQ(p.channel.output().total(), int64_t(all.size()));
  std::string text = p.channel.output().text();
  EXPECT_EQ(text.substr(0, 50), std::string(50, 'a'));
  EXPECT_EQ(text.substr(text.size() - 50), std::string(50, 'c'));
  EXPECT_NE(text.find("bytes cut"), std::string::npos);
  EXPECT_LT(text.size(), 200u);
}

}  // namespace kbx::sandbox
