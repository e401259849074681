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
  for (const char* name : {"softmax", "matmul", "nested_if", "noinline_call", "reduce_two_values", "join_split",
                           "atomics", "scan", "reduce_with_branches", "map_elementwise", "map_elementwise_load",
                           "dot_scaled_fp4_fp8", "asm_bits", "casts_e4b15"}) {
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

TEST(IrHostile, RegionsThatBranchAreChecked) {
  const std::string f = "%f = \"arith.constant\"() <{value = dense<0.0> : tensor<4xf32>}> : () -> tensor<4xf32>\n";
  const std::string head = f + "%x = \"tt.reduce\"(%f) <{axis = 0 : i32}> ({\n^bb0(%a: f32, %b: f32):\n";
  const std::string tail = "\n}) : (i32) -> f32";
  expect_refused(head + "\"cf.br\"()[^no] : () -> ()" + tail, "without its terminator");
  expect_refused(head + "\"cf.br\"()[^no] : () -> ()\n^c:\n\"cf.br\"()[^c] : () -> ()" + tail, "unknown block");
  expect_refused(head + "\"cf.br\"()[^c] : () -> ()\n^c:\n\"tt.reduce.return\"(%a, %b) : (i32) -> ()" + tail,
                 "number of values passed on");
  expect_refused(head + "\"cf.br\"()[^c] : () -> ()\n^c:\n\"tt.reduce.return\"(%n) : (i32) -> ()" + tail,
                 "type of a value passed on");
  expect_refused(
      head + "%y = \"tt.call\"(%a) <{callee = @k}> : (f32) -> f32\n\"tt.reduce.return\"(%y) : (i32) -> ()" + tail,
      "not_judged: tt.call: recursion");
  expect_refused(head +
                     "%y = \"tt.splat\"(%a) : (f32) -> tensor<4xf32>\n%z = \"tt.reduce\"(%y) <{axis = 0 : i32}> ({\n"
                     "^bb0(%p1: f32, %p2: f32):\n\"tt.reduce.return\"(%p1) : (i32) -> ()\n}) : (i32) -> f32\n"
                     "\"tt.reduce.return\"(%z) : (i32) -> ()" +
                     tail,
                 "a tensor in a combine region");
  expect_refused("\"tt.reduce.return\"(%n) : (i32) -> ()", "outside of its region");
  expect_refused("\"tt.map_elementwise.return\"(%n) : (i32) -> ()", "outside of its region");
}

TEST(IrHostile, FunctionsCalledInRegionsCannotExplode) {
  // f0 calls f1 twice, f1 calls f2 twice, ..: 2^40 copies if nothing stopped it.
  std::string functions;
  auto name = [](int k) { return "f" + std::to_string(k); };
  for (int k = 0; k < 40; k++) {
    std::string call = "\"tt.call\"() <{callee = @" + name(k + 1) + "}> : () -> ()\n";
    functions += "\"tt.func\"() <{function_type = () -> (), sym_name = \"" + name(k) +
                 "\", sym_visibility = \"private\"}> ({\n" + (k < 39 ? call + call : "") +
                 "\"tt.return\"() : () -> ()\n}) : () -> ()\n";
  }
  std::string text = kernel(
      "%f = \"arith.constant\"() <{value = dense<0.0> : tensor<4xf32>}> : () -> tensor<4xf32>\n"
      "%x = \"tt.reduce\"(%f) <{axis = 0 : i32}> ({\n^bb0(%a: f32, %b: f32):\n"
      "\"tt.call\"() <{callee = @f0}> : () -> ()\n\"tt.reduce.return\"(%a) : (i32) -> ()\n}) : (i32) -> f32");
  text.insert(text.rfind("}) : () -> ()"), functions);
  EXPECT_NE(refusal(text).find("20000 instructions"), std::string::npos) << refusal(text);
}

TEST(IrHostile, AnEndlessLoopInARegionEndsAtTheLimit) {
  std::string text = kernel(
      "%f = \"arith.constant\"() <{value = dense<0.0> : tensor<4xf32>}> : () -> tensor<4xf32>\n"
      "%x = \"tt.reduce\"(%f) <{axis = 0 : i32}> ({\n^bb0(%a: f32, %b: f32):\n\"cf.br\"()[^c] : () -> ()\n"
      "^c:\n\"cf.br\"()[^c] : () -> ()\n}) : (i32) -> f32");
  auto program = compile(text);
  ASSERT_TRUE(program) << program.error().message;
  float memory = 0;
  LaunchSpec spec;
  spec.arguments = {reinterpret_cast<uint64_t>(&memory), 0};
  spec.time_limit_s = 0.1;
  auto report = launch(*program, spec);
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->completed);
  EXPECT_EQ(found(*report).substr(0, 10), "time_limit");
  spec.step_limit = 100000;
  spec.time_limit_s = 60;
  report = launch(*program, spec);
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->completed);
  EXPECT_EQ(found(*report).substr(0, 10), "step_limit");
}

TEST(IrHostile, MapsAndScaledProductsAreChecked) {
  const std::string f = "%f = \"arith.constant\"() <{value = dense<1> : tensor<4xi32>}> : () -> tensor<4xi32>\n";
  auto map = [&](const std::string& pack, const std::string& arguments, const std::string& body) {
    return f + "%x = \"tt.map_elementwise\"(%f) <{pack = " + pack + " : i32}> ({\n^bb0(" + arguments + "):\n" + body +
           "\n}) : (i32) -> tensor<4xi32>";
  };
  const std::string one = "\"tt.map_elementwise.return\"(%a) : (i32) -> ()";
  const std::string two = "\"tt.map_elementwise.return\"(%a, %b) : (i32) -> ()";
  EXPECT_EQ(refusal(kernel(map("1", "%a: i32", one))), "compiled");
  EXPECT_EQ(refusal(kernel(map("2", "%a: i32, %b: i32", two))), "compiled");
  expect_refused(map("0", "%a: i32", one), "operands");
  expect_refused(map("-1", "%a: i32", one), "operands");
  expect_refused(map("3", "%a: i32, %b: i32, %c: i32", one), "fewer elements than its pack");
  expect_refused(map("1", "%a: f32", one), "types");
  expect_refused(map("1", "%a: i32, %b: i32", one), "region's arguments");
  expect_refused(map("2", "%a: i32, %b: i32", "\"tt.map_elementwise.return\"(%b, %a) : (i32) -> ()"),
                 "mixes the elements");
  expect_refused(map("2", "%a: i32, %b: i32", one), "results");
  const std::string m =
      "%a = \"arith.constant\"() <{value = dense<0> : tensor<32x32xi8>}> : () -> tensor<32x32xi8>\n"
      "%b = \"arith.constant\"() <{value = dense<0> : tensor<64x32xi8>}> : () -> tensor<64x32xi8>\n"
      "%c = \"arith.constant\"() <{value = dense<0.0> : tensor<32x32xf32>}> : () -> tensor<32x32xf32>\n"
      "%s = \"arith.constant\"() <{value = dense<0> : tensor<32x2xi8>}> : () -> tensor<32x2xi8>\n";
  auto dot = [&](const std::string& types, const std::string& segments, const std::string& operands) {
    return m + "%d = \"tt.dot_scaled\"(" + operands + ") <{" + types +
           ", operandSegmentSizes = array<i32: " + segments + ">}> : (i32) -> tensor<32x32xf32>";
  };
  const std::string types = "a_elem_type = 4 : i32, b_elem_type = 0 : i32", all = "%a, %b, %c, %s, %s";
  EXPECT_EQ(refusal(kernel(dot(types, "1, 1, 1, 1, 1", all))), "compiled");
  expect_refused(dot(types, "1, 1, 1, 1, 0", all), "operands");
  expect_refused(dot(types, "1, 1, 1, 7, 0", all), "operands");
  expect_refused(dot(types, "1, 1, 1, 1, 1", "%a, %b, %c, %a, %s"), "scale");
  expect_refused(dot("a_elem_type = 99 : i32, b_elem_type = 0 : i32", "1, 1, 1, 1, 1", all), "element types");
  expect_refused(dot("a_elem_type = 0 : i32, b_elem_type = 0 : i32", "1, 1, 1, 1, 1", all), "shapes");
  expect_refused(dot(types + ", lhs_k_pack = false", "1, 1, 1, 1, 1", all), "shapes");
}

TEST(IrHostile, InlineAssemblyIsRefusedByWhatIsNotKnown) {
  auto assembly = [](const std::string& text, const std::string& constraints) {
    return "%x = \"tt.elementwise_inline_asm\"(%n) <{asm_string = \"" + text + "\", constraints = \"" + constraints +
           "\", packed_element = 1 : i32, pure = true}> : (i32) -> i32";
  };
  EXPECT_EQ(refusal(kernel(assembly("add.s32 $0, $1, 1;", "=r,r"))), "compiled");
  EXPECT_EQ(refusal(kernel(assembly("{ .reg .b32 t; mov.b32 t, $1; /* c */ mov.b32 $0, t; }", "=&r,r"))), "compiled");
  const char* const kBad[][3] = {
      {"mov.u32 $0, %smid;", "=r,r", "the operand %smid"},
      {"ld.global.b32 $0, [$1];", "=r,r", "the instruction ld.global.b32"},
      {"add.rz.f32 $0, $1, $1;", "=r,r", "the instruction add.rz.f32"},
      {"add.s32 $0, $1;", "=r,r", "the operands of add.s32"},
      {"add.s32 $0, $1, $9;", "=r,r", "the operand $9"},
      {"add.s32 $1, $1, $1;", "=r,r", "the result of"},
      {"add.s64 $0, $1, $1;", "=r,r", "the width of an operand"},
      {"add.s32 $0, $1, $1;", "=l,r", "the constraint"},
      {"add.s32 $0, $1, $1;", "=r", "the number of constraints"},
      {"add.s32 $0, $1, $1;", "=r,r,r", "the number of constraints"},
      {".reg .b32 t; add.s32 $0, t, $1;", "=r,r", "a register that was not written"},
      {".reg .b32 t<99999>;", "=r,r", "the declaration"},
      {".reg .b32 t<", "=r,r", "the declaration"},
      {"@p mov.b32 $0, $1;", "=r,r", "the predicate"},
      {"mov.b32 {$0, $0, $0}, $1;", "=r,r", "the operands of"},
      {"mov.b32 $0, {};", "=r,r", "the operand"},
      {"cvt.f32.f16.bogus $0, $1;", "=r,r", "the instruction"},
  };
  for (const auto& bad : kBad) {
    expect_refused(assembly(bad[0], bad[1]), std::string("not_judged: tt.elementwise_inline_asm: ") + bad[2]);
  }
  std::string many;
  for (int k = 0; k < 300; k++) many += "add.s32 $0, $1, 1;";
  expect_refused(assembly(many, "=r,r"), "too many instructions");
  expect_refused(assembly(std::string(9000, ' '), "=r,r"), "too long");
  expect_refused(assembly("// no end", "=r,q"), "the constraint");
  EXPECT_EQ(refusal(kernel(assembly("/* no end", "=r,r"))), "compiled");  // its result is undefined
}

TEST(IrClaim, AMultipleThatIsNoneIsFoundAndWildClaimsAreHarmless) {
  auto found_with = [](const std::string& claim, uint64_t n) {
    auto program = compile(kernel("%v = \"arith.addi\"(%n, %n) {tt.divisibility = " + claim + "} : (i32) -> i32"));
    EXPECT_TRUE(program) << claim;
    LaunchSpec spec;
    spec.arguments = {0, n};
    spec.checks.alignment = true;
    auto report = launch(*program, spec);
    return report && report->findings.size() == 1 && report->findings[0].kind == FindingKind::false_divisibility;
  };
  EXPECT_TRUE(found_with("dense<8> : tensor<1xi32>", 3));
  EXPECT_FALSE(found_with("dense<8> : tensor<1xi32>", 4));
  EXPECT_TRUE(found_with("dense<4096> : tensor<1xi32>", 3));
  EXPECT_FALSE(found_with("dense<4096> : tensor<1xi32>", 8)) << "more than 16 no access can need";
  for (const char* claim : {"dense<0> : tensor<1xi32>", "dense<-8> : tensor<1xi32>", "dense<[8, 8]> : tensor<2xi32>",
                            "dense<99999999999999999999> : tensor<1xi32>", "8"})
    EXPECT_FALSE(found_with(claim, 3)) << claim;
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
