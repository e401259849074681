// Hostile text: refused with a reason, or run without harm. What "without harm" means is for the sanitizers to say.
#include "fixture.h"
#include "ir/reader.h"

namespace kbx::ir {
namespace {

std::string refusal(const std::string& text) {
  auto program = compile(text);
  return program ? "compiled" : program.error().message;
}
// A module with one kernel that takes (pointer, i32) and has this body.
std::string kernel(const std::string& body) {
  return "\"builtin.module\"() ({\n\"tt.func\"() <{function_type = (!tt.ptr<f32>, i32) -> (), sym_name = \"k\", "
         "sym_visibility = \"public\"}> ({\n^bb0(%p: !tt.ptr<f32>, %n: i32):\n" +
         body + "\n\"tt.return\"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n";
}
void expect_refused(const std::string& body, const std::string& part) {
  std::string why = refusal(kernel(body));
  EXPECT_NE(why.find(part), std::string::npos) << body << "\n  gave: " << why;
}
// Runs what compiles, on little memory and little time.
void run_if_compiled(const std::string& text) {
  auto program = compile(text);
  if (!program) return;
  std::vector<float> memory(64, 1);
  LaunchSpec spec;
  spec.grid = {2, 1, 1};
  spec.ranges.push_back({reinterpret_cast<uint8_t*>(memory.data()), 256, nullptr, 4, 0});
  for (size_t k = 0; k < program->argument_count(); k++)
    spec.arguments.push_back(program->argument_kind(k) == Kind::ptr ? reinterpret_cast<uint64_t>(memory.data()) : 3);
  spec.checks = {true, true, true, true, true};
  spec.time_limit_s = 0.2;
  spec.step_limit = 2000;
  auto report = launch(*program, spec);
  EXPECT_TRUE(report) << report.error().text();
}

TEST(IrHostile, TheFrameItselfCompiles) { EXPECT_EQ(refusal(kernel("")), "compiled"); }

TEST(IrHostile, EveryPrefixOfAKernelIsRefusedWithALine) {
  std::string text = fixture_text("softmax");
  for (size_t n = 0; n < text.rfind("}) : () -> () loc(#loc)"); n += 7) {
    std::string why = refusal(text.substr(0, n));
    ASSERT_TRUE(why.starts_with("malformed: line ")) << n << " " << why;
  }
}

TEST(IrHostile, MutatedKernelsNeverHarm) {
  uint64_t state = 88172645463325252u;
  auto next = [&] { return state ^= state << 13, state ^= state >> 7, state ^= state << 17; };
  for (const char* name :
       {"softmax", "matmul", "nested_if", "noinline_call", "reduce_two_values", "join_split", "atomics", "scan"}) {
    std::string good = fixture_text(name);
    for (int round = 0; round < 150; round++) {
      std::string text = good;
      for (uint64_t k = 0; k < 1 + next() % 4; k++) {
        size_t at = next() % text.size();
        switch (next() % 4) {
          case 0:
            text[at] = static_cast<char>(next());
            break;
          case 1:
            text.erase(at, 1 + next() % 20);
            break;
          case 2:
            text.insert(at, text.substr(next() % text.size(), 1 + next() % 30));
            break;
          default:
            text[at] = "0123456789,<>()%"[next() % 16];
        }
      }
      run_if_compiled(text);
    }
  }
}

TEST(IrHostile, DeepNestingIsRefused) {
  std::string open, close;
  for (int k = 0; k < 10000; k++) open += "\"scf.if\"(%c) ({\n";
  EXPECT_NE(refusal(kernel("%c = \"arith.constant\"() <{value = true}> : () -> i1\n" + open)).find("regions too deep"),
            std::string::npos);
}

TEST(IrHostile, GiantShapesAreRefused) {
  const std::string zero = " = \"arith.constant\"() <{value = dense<0.0> : tensor<1xf32>}> : () -> ";
  expect_refused("%a" + zero + "tensor<2097152xf32>", "shape beyond the limits");
  expect_refused("%a" + zero + "tensor<65536x65536xf32>", "shape beyond the limits");
  expect_refused("%a" + zero + "tensor<99999999999999999999999xf32>", "damaged type");
  expect_refused("%a" + zero + "tensor<0xf32>", "damaged type");
  expect_refused("%a" + zero + "tensor<-4xf32>", "not_judged");
  std::string ones = "tensor<";
  for (int k = 0; k < 40; k++) ones += "1x";
  expect_refused("%a" + zero + ones + "f32>", "shape beyond the limits");
}

TEST(IrHostile, MemoryThatAProgramWouldNeedIsBounded) {
  std::string body =
      "%a0 = \"arith.constant\"() <{value = dense<0.0> : tensor<1048576xf32>}> : () -> tensor<1048576xf32>\n";
  for (int k = 1; k < 200; k++) {
    std::string to = std::to_string(k), from = std::to_string(k - 1);
    body += "%a" + to + " = \"tt.reshape\"(%a" + from + ") : (tensor<1048576xf32>) -> tensor<1024x1024xf32>\n";
    body += "%a" + to + "t = \"tt.trans\"(%a" + to +
            ") <{order = array<i32: 1, 0>}> : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>\n";
  }
  expect_refused(body, "256 MiB");
  body.clear();
  for (int k = 0; k < 100; k++)
    body += "%a" + std::to_string(k) +
            " = \"arith.constant\"() <{value = dense<0.0> : tensor<1048576xf32>}> : () -> tensor<1048576xf32>\n";
  expect_refused(body, "256 MiB");
}

TEST(IrHostile, OperandsOfWrongTypeOrCountAreRefused) {
  const std::string f = "%f = \"arith.constant\"() <{value = dense<0.0> : tensor<4xf32>}> : () -> tensor<4xf32>\n";
  const std::string g = "%g = \"arith.constant\"() <{value = dense<0.0> : tensor<8xf32>}> : () -> tensor<8xf32>\n";
  const std::string t = " : (i32) -> tensor<4xf32>";
  expect_refused(f + g + "%x = \"arith.addf\"(%f, %g) : (i32, i32) -> tensor<4xf32>", "different size");
  expect_refused(f + "%x = \"arith.addf\"(%f, %n)" + t, "of these types");
  expect_refused(f + "%x = \"arith.addi\"(%f, %f)" + t, "of these types");
  expect_refused(f + "%x = \"arith.addf\"(%f)" + t, "of these types");
  expect_refused(f + "%x = \"arith.addf\"()" + t, "arity");
  expect_refused("%x = \"tt.splat\"(%n)" + t, "types");
  expect_refused(f + "%x = \"tt.broadcast\"(%f) : (i32) -> tensor<8xf32>", "shapes");
  expect_refused(f + "%x = \"tt.reshape\"(%f) : (i32) -> tensor<8xf32>", "types");
  expect_refused(f + "%x = \"tt.trans\"(%f) <{order = array<i32: 7>}>" + t, "order");
  expect_refused(f + "%x = \"tt.trans\"(%f) <{order = array<i32: 0, 0>}>" + t, "order");
  expect_refused(f + "%x = \"tt.load\"(%f)" + t, "block pointer");
  expect_refused("%x = \"tt.load\"(%p)" + t, "types");
  expect_refused("%x = \"tt.load\"(%p, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32) -> f32", "mask");
  expect_refused("%x = \"tt.load\"(%p) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (i32) -> f32",
                 "number of operands");
  expect_refused("\"tt.store\"(%p, %n) : (i32) -> ()", "types");
  expect_refused("%x = \"tt.atomic_rmw\"(%p, %n) <{atomic_rmw_op = 4 : i32}> : (i32) -> i32", "types");
  expect_refused(f + "%x = \"tt.dot\"(%f, %f, %f)" + t, "types");
  expect_refused(f + g + "%x = \"tt.gather\"(%f, %g) <{axis = 3 : i32}>" + t, "axis");
  expect_refused(f + "%x = \"tt.gather\"(%f, %f) <{axis = 0 : i32}>" + t, "index type");
  expect_refused(f + "%x = \"arith.select\"(%n, %f, %f)" + t, "types");
  expect_refused("%x = \"tt.get_program_id\"() <{axis = 3 : i32}> : () -> i32", "axis");
  expect_refused("%x = \"tt.make_range\"() <{start = 0 : i32, end = 9 : i32}> : () -> tensor<8xi32>", "bounds");
  expect_refused("%x = \"arith.constant\"() <{value = dense<[1, 2]> : tensor<4xi32>}> : () -> tensor<4xi32>", "value");
  expect_refused("%x = \"arith.constant\"() <{value = banana}> : () -> i32", "value");
  expect_refused("%x = \"arith.cmpi\"(%n, %n) <{predicate = 77 : i64}> : (i32) -> i1", "of these types or attributes");
}

TEST(IrHostile, RegionsAndCallsAreChecked) {
  const std::string f = "%f = \"arith.constant\"() <{value = dense<0.0> : tensor<4xf32>}> : () -> tensor<4xf32>\n";
  expect_refused(f + "%x = \"tt.reduce\"(%f) <{axis = 0 : i32}> : (i32) -> f32", "region");
  expect_refused(f + "%x = \"tt.reduce\"(%f) <{axis = 9 : i32}> ({}) : (i32) -> f32", "axis");
  expect_refused(
      f + "%x = \"tt.reduce\"(%f) <{axis = 0 : i32}> ({\n^bb0(%a: f32, %b: f32):\n%l = \"tt.load\"(%p) : (i32) -> f32\n"
          "\"tt.reduce.return\"(%l) : (f32) -> ()\n}) : (i32) -> f32",
      "combine function");
  expect_refused(f + "%x = \"tt.reduce\"(%f) <{axis = 0 : i32}> ({\n^bb0(%a: f32, %b: f32):\n"
                     "\"tt.reduce.return\"(%f) : (f32) -> ()\n}) : (i32) -> f32",
                 "types");
  expect_refused("\"scf.for\"(%n, %n) ({}) : (i32) -> ()", "operands");
  expect_refused("\"scf.for\"(%n, %n, %p) ({\n^bb0(%i: i32):\n\"scf.yield\"() : () -> ()\n}) : (i32) -> ()", "bounds");
  expect_refused("\"scf.if\"(%n) ({\n\"scf.yield\"() : () -> ()\n}) : (i32) -> ()", "condition");
  expect_refused("\"scf.yield\"() : () -> ()", "outside of its region");
  expect_refused("\"cf.br\"()[^nowhere] : () -> ()", "unknown block");
  expect_refused("\"tt.call\"() <{callee = @k}> : () -> ()", "call of the kernel itself");
  expect_refused("\"tt.call\"() <{callee = @nobody}> : () -> ()", "not_judged");
  expect_refused("%x = \"tt.return\"() : () -> i32", "compiled");
}

TEST(IrHostile, RecursionIsRefused) {
  auto function = [](const std::string& name, const std::string& callee) {
    return "\"tt.func\"() <{function_type = () -> (), sym_name = \"" + name +
           "\", sym_visibility = \"private\"}> ({\n" + "\"tt.call\"() <{callee = @" + callee +
           "}> : () -> ()\n\"tt.return\"() : () -> ()\n}) : () -> ()\n";
  };
  std::string text = kernel("\"tt.call\"() <{callee = @a}> : () -> ()");
  text.insert(text.rfind("}) : () -> ()"), function("a", "b") + function("b", "a"));
  EXPECT_NE(refusal(text).find("recursion"), std::string::npos) << refusal(text);
}

TEST(IrHostile, AJumpToItsOwnBlockEndsAtTheLimit) {
  std::string text = kernel("\"cf.br\"()[^bb1] : () -> ()\n^bb1:\n\"cf.br\"()[^bb1] : () -> ()\n^bb2:");
  EXPECT_EQ(refusal(text), "compiled");
  run_if_compiled(text);
}

TEST(IrHostile, WildAddressesAreFoundNotFollowed) {
  std::string text = kernel(
      "%b = \"arith.constant\"() <{value = -1 : i64}> : () -> i64\n"
      "%q = \"tt.int_to_ptr\"(%b) : (i64) -> !tt.ptr<f32>\n%v = \"tt.load\"(%q) : (i32) -> f32\n"
      "\"tt.store\"(%q, %v) : (i32) -> ()\n%r = \"tt.addptr\"(%p, %b) : (i32) -> !tt.ptr<f32>\n"
      "\"tt.store\"(%r, %v) : (i32) -> ()");
  ASSERT_EQ(refusal(text), "compiled");
  run_if_compiled(text);
}

TEST(IrHostile, LocationsThatAreCyclicOrDeepGiveNoLine) {
  std::string text = kernel("%v = \"tt.load\"(%p) : (i32) -> f32 loc(#loc1)");
  std::string deep = "#loc2 = loc(";
  for (int k = 0; k < 5000; k++) deep += "callsite(";
  auto program = compile("#loc1 = loc(callsite(#loc1 at #loc1))\n" + text);
  ASSERT_TRUE(program);
  LaunchSpec spec;
  spec.arguments = {0, 0};
  auto report = launch(*program, spec);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->findings.size(), 1u);
  EXPECT_EQ(report->findings[0].where, "");
}

TEST(IrReader, ItsLimitsAreKept) {
  ReaderLimits limits;
  limits.ops = 3;
  EXPECT_FALSE(read_module(fixture_text("softmax"), limits));
  limits = {};
  limits.values = 3;
  EXPECT_FALSE(read_module(fixture_text("softmax"), limits));
  limits = {};
  limits.text_bytes = 100;
  EXPECT_FALSE(read_module(fixture_text("softmax"), limits));
  limits = {};
  limits.types = 2;
  EXPECT_FALSE(read_module(fixture_text("softmax"), limits));
  EXPECT_TRUE(read_module(fixture_text("softmax")));
}

TEST(IrCompile, AnUnknownOperationIsNamedNotBlamed) {
  std::string why = refusal(fixture_text("asm"));
  EXPECT_TRUE(why.starts_with("not_judged: tt.elementwise_inline_asm: ")) << why;
  expect_refused("\"my.op\"() : () -> ()", "not_judged: my.op: an operation the machine does not have");
}

}  // namespace
}  // namespace kbx::ir
