# What people run: bin/kbx, lib/libkbxworker.so, share/kbx/{suite,worker,methods,prompts,models.toml}. The build tree has the release's layout.

# The worker's library: the jail, the wire's numbers, the IR machine and the player of tapes, for python through
# ctypes. It runs in whatever python the user has, so it brings its own C++ runtime and shows nothing but kbx_*.
add_library(kbxworker SHARED ${CMAKE_SOURCE_DIR}/cmake/empty.cpp)
target_link_libraries(kbxworker PRIVATE kbx_replay kbx_settings kbx_warnings)
set_property(TARGET kbxworker PROPERTY LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,kbx_ir,kbx_worker,kbx_replay")
target_link_options(kbxworker PRIVATE -static-libstdc++ -static-libgcc -Wl,--as-needed -Wl,--gc-sections -Wl,--no-undefined
  -Wl,--version-script=${CMAKE_SOURCE_DIR}/src/worker/exports.map)
set_target_properties(kbxworker PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
  LINK_DEPENDS ${CMAKE_SOURCE_DIR}/src/worker/exports.map)

add_executable(kbx ${CMAKE_SOURCE_DIR}/cmake/empty.cpp)
target_link_libraries(kbx PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,kbx_cli>")
add_dependencies(kbx kbxworker)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/kbx)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/suite ${CMAKE_BINARY_DIR}/share/kbx/suite SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/worker/python ${CMAKE_BINARY_DIR}/share/kbx/worker SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/methods ${CMAKE_BINARY_DIR}/share/kbx/methods SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/prompts ${CMAKE_BINARY_DIR}/share/kbx/prompts SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/llm/models.toml ${CMAKE_BINARY_DIR}/share/kbx/models.toml SYMBOLIC)

# What a GPU needs beside it: the recorder inside the child that runs a candidate, and the trusted process that plays tapes
# and has the clock. Neither links CUDA.
add_library(kbx_fmt STATIC ${CMAKE_SOURCE_DIR}/cmake/fmt.cpp)  # Debian has no libfmt.a
target_compile_features(kbx_fmt PRIVATE cxx_std_20)
find_library(KBX_LIBMD_ARCHIVE libmd.a)
add_library(kbx_standalone INTERFACE)  # in front of everything else: what Debian has as a shared library comes along
target_link_libraries(kbx_standalone INTERFACE "$<LINK_LIBRARY:WHOLE_ARCHIVE,kbx_fmt>")
if(KBX_LIBMD_ARCHIVE)
  target_link_options(kbx_standalone INTERFACE LINKER:--whole-archive,${KBX_LIBMD_ARCHIVE},--no-whole-archive)
endif()
add_library(kbxprobe SHARED ${CMAKE_SOURCE_DIR}/cmake/empty.cpp)
target_link_libraries(kbxprobe PRIVATE kbx_standalone kbx_probe kbx_settings kbx_warnings)
set_property(TARGET kbxprobe PROPERTY LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,kbx_probe")
target_link_options(kbxprobe PRIVATE -static-libstdc++ -static-libgcc -Wl,--as-needed -Wl,--gc-sections -Wl,--no-undefined
  -Wl,--version-script=${CMAKE_SOURCE_DIR}/src/worker/exports.map)
set_target_properties(kbxprobe PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

add_executable(kbx-clock ${CMAKE_SOURCE_DIR}/cmake/empty.cpp)
target_link_libraries(kbx-clock PRIVATE kbx_standalone "$<LINK_LIBRARY:WHOLE_ARCHIVE,kbx_clock>")
target_link_options(kbx-clock PRIVATE -static-libstdc++ -static-libgcc LINKER:--as-needed LINKER:--gc-sections)
set_target_properties(kbx-clock PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/libexec)
add_dependencies(kbx kbxprobe kbx-clock)
