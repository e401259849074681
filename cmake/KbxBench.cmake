# The benchmarks: bench/NAME.cpp -> bench/NAME, linked with the room it measures. Run by tools/bench.
function(kbx_bench NAME)
  if(EXISTS ${CMAKE_SOURCE_DIR}/bench/${NAME}.cpp)
    add_executable(${NAME} ${CMAKE_SOURCE_DIR}/bench/${NAME}.cpp)
    target_link_libraries(${NAME} PRIVATE ${ARGN} kbx_settings kbx_warnings)
    set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bench)
  endif()
endfunction()

kbx_bench(judge_bench kbx_judge)
kbx_bench(input_bench kbx_suite)
kbx_bench(ir_bench    kbx_ir)
kbx_bench(pipeline_bench kbx_eval)
