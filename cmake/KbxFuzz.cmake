# The fuzzers: fuzz/NAME.cpp -> fuzz/NAME, linked with the room it feeds. Built and run by tools/fuzz.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "KBX_FUZZ needs clang (libFuzzer): run tools/fuzz, or set CMAKE_CXX_COMPILER=clang++-19")
endif()

function(kbx_fuzz NAME ROOM)
  add_executable(fuzz_${NAME} EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/fuzz/${NAME}.cpp)
  target_link_libraries(fuzz_${NAME} PRIVATE kbx_${ROOM} kbx_settings kbx_warnings)
  target_link_options(fuzz_${NAME} PRIVATE -fsanitize=fuzzer)
  set_target_properties(fuzz_${NAME} PROPERTIES OUTPUT_NAME ${NAME} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
  add_dependencies(fuzzers fuzz_${NAME})
endfunction()

add_custom_target(fuzzers)
kbx_fuzz(task_toml   suite)
kbx_fuzz(jsonl       intake)
kbx_fuzz(extract     intake)
kbx_fuzz(lint_python lint)
kbx_fuzz(ir_text     ir)
kbx_fuzz(wire_frame  sandbox)
kbx_fuzz(tape        replay)
kbx_fuzz(device_tape model)
# The parser reads hostile bytes too.
target_compile_options(tree_sitter_python PRIVATE -fsanitize=address,fuzzer-no-link)
