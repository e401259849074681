// Everything that can go wrong, injected by the fake driver: each is an answer, and the process ends only when it must.
#include "clock_child.h"

namespace kbx::clock {
namespace {

TEST(Faults, address_that_is_taken) {
  ClockChild c("address=1");
  EXPECT_EQ(fault_of(load(c, small_tape("scale"))), "address");
  EXPECT_EQ(get(c.ask({{"do", "memory"}}), "ok"), true);
}

TEST(Faults, image_that_the_driver_refuses) {
  ClockChild c("image=1");
  Json answer = load(c, small_tape("scale"));
  EXPECT_EQ(fault_of(answer), "image");
  EXPECT_EQ(get(answer, "side"), "candidate");
}

TEST(Faults, image_that_is_shorter_than_it_says_never_reaches_the_driver) {
  ClockChild c;
  DeviceTape t = small_tape("scale");
  t.images[0].data.resize(t.images[0].data.size() / 2);
  EXPECT_EQ(fault_of(load(c, t)), "image");
}

TEST(Faults, function_that_its_image_has_not) {
  ClockChild c;
  EXPECT_EQ(fault_of(load(c, small_tape("missing"))), "function");
}

TEST(Faults, out_of_memory) {
  ClockChild c("memory=12");
  std::string fault = "none";
  for (int k = 0; k < 12 && fault == "none"; k++) {
    Json answer = load(c, small_tape("scale"));
    if (get(answer, "ok") != true) fault = fault_of(answer);
    else if (Json inputs = draw(c, k); get(inputs, "ok") != true) fault = fault_of(inputs);
  }
  EXPECT_EQ(fault, "memory");
  EXPECT_EQ(get(c.ask({{"do", "unload"}}), "ok"), true);
}

TEST(Faults, launch_that_is_refused) {
  ClockChild c("launch=1");
  load(c, small_tape("scale"));
  draw(c, 0);
  EXPECT_EQ(fault_of(c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}})), "launch");
  EXPECT_EQ(get(c.ask({{"do", "memory"}}), "ok"), true);
}

TEST(Faults, memory_fault_on_the_card_ends_the_process_after_its_answer) {
  ClockChild c;
  load(c, small_tape("illegal"));
  draw(c, 0);
  Json answer = c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}});
  EXPECT_EQ(fault_of(answer), "device");
  EXPECT_NE(get_string(answer, "message").value_or("").find("illegal memory access"), std::string::npos);
  EXPECT_EQ(c.wait(), 3);
}

TEST(Faults, kernel_that_never_ends_is_a_timeout_after_its_limit) {
  ClockChild c;
  load(c, small_tape("hang"));
  draw(c, 0);
  EXPECT_EQ(fault_of(c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}, {"limit_ms", 100}})), "timeout");
  EXPECT_EQ(c.wait(), 3);
}

TEST(Faults, tape_that_is_none) {
  ClockChild c;
  EXPECT_EQ(fault_of(c.ask({{"do", "load"}, {"side", "candidate"}}, Bytes(100))), "tape");
  DeviceTape t = small_tape("scale");
  t.trouble.push_back("cuGraphLaunch");
  EXPECT_EQ(fault_of(load(c, t)), "tape");
}

TEST(Faults, tape_whose_launch_has_fewer_parameters_than_the_kernel) {
  ClockChild c;
  DeviceTape t = small_tape("scale");
  t.functions[0].parameters.pop_back();
  EXPECT_EQ(fault_of(load(c, t)), "tape");
}

TEST(Faults, tape_with_an_input_that_the_call_has_not) {
  ClockChild c;
  DeviceTape t = small_tape("scale");
  t.inputs[0].name = "other";
  load(c, t);
  EXPECT_EQ(fault_of(draw(c, 0)), "tape");
  // A set that does not fit is no fault of a load, but of what uses it.
  load(c, small_tape("scale"));
  ASSERT_EQ(get(draw(c, 0), "ok"), true);
  EXPECT_EQ(get(load(c, t), "ok"), true);
  EXPECT_EQ(fault_of(c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}})), "tape");
  load(c, small_tape("scale"));
  EXPECT_EQ(get(c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}}), "ok"), true);
}

TEST(Faults, output_of_more_elements_than_bytes_could_hold) {
  ClockChild c;
  DeviceTape t = small_tape("scale");
  t.outputs[0].shape = {int64_t(1) << 31, int64_t(1) << 31};
  t.outputs[0].stride = {0, 0};
  load(c, t);
  draw(c, 0);
  EXPECT_EQ(fault_of(c.ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}})), "tape");
}

TEST(Faults, every_mutated_tape_is_loaded_or_refused) {
  ClockChild c;
  Bytes whole = dump_device_tape(small_tape("scale"));
  uint64_t state = 11;
  int refused = 0;
  for (int k = 0; k < 400; k++) {
    Bytes bytes = whole;
    for (int n = 0; n < 1 + k % 3; n++) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      bytes[(state >> 33) % bytes.size()] = std::byte(state >> 24);
    }
    Json answer = c.ask({{"do", "load"}, {"side", "candidate"}}, bytes);
    ASSERT_TRUE(answer.is_object()) << k;
    refused += get(answer, "ok") == false;
  }
  EXPECT_GT(refused, 100);
  EXPECT_EQ(get(c.ask({{"do", "unload"}}), "ok"), true);
}

TEST(Faults, commands_that_are_malformed_or_out_of_order) {
  ClockChild c;
  for (const Json& command : {Json{{"do", "dance"}}, Json{{"no", 1}}, Json{{"do", "play"}, {"side", "candidate"}}, Json{{"do", "time"}}, Json{{"do", 5}},
                              Json{{"do", "inputs"}, {"set", 0}, {"inputs", "x"}}, Json{{"do", "inputs"}, {"set", -1}}, Json{{"do", "verify"}}})
    EXPECT_EQ(fault_of(c.ask(command)), "command") << command;
  EXPECT_EQ(get(c.ask({{"do", "memory"}}), "ok"), true);
}

TEST(Faults, garbage_on_the_socket_ends_the_process_with_an_answer) {
  ClockChild c;
  c.send_raw("GET / HTTP/1.1\r\n\r\n.......");
  EXPECT_EQ(fault_of(c.next()), "command");
  EXPECT_EQ(c.wait(), 2);
}

TEST(Faults, text_that_is_no_json_costs_one_answer) {
  ClockChild c;
  ClockHeader h{{'K', 'B', 'X', 'C'}, 3, 0};
  c.send_raw(std::string(reinterpret_cast<char*>(&h), sizeof h) + "{x}");
  EXPECT_EQ(fault_of(c.next()), "command");
  EXPECT_EQ(get(c.ask({{"do", "memory"}}), "ok"), true);
}

TEST(Faults, end_of_the_socket_is_the_end) {
  ClockChild c;
  c.close();
  EXPECT_EQ(c.wait(), 0);
}

TEST(Faults, no_driver_and_no_nvrtc_are_said_with_a_hint) {
  ClockChild none("", kFake, "/nonexistent/libcuda.so");
  EXPECT_NE(get_string(get(none.hello, "fatal"), "message").value_or("").find("no CUDA driver"), std::string::npos);
  ClockChild c("", "/nonexistent/libnvrtc.so");
  EXPECT_NE(get_string(get(c.hello, "fatal"), "message").value_or("").find("NVRTC"), std::string::npos);
  EXPECT_NE(get_string(get(c.hello, "fatal"), "hint").value_or(""), "");
  ClockChild broken("nvrtc=1");
  EXPECT_NE(get_string(get(broken.hello, "fatal"), "message").value_or("").find("a mistake"), std::string::npos);
}

}  // namespace
}  // namespace kbx::clock
