# kbx_room(NAME DEPS room... LIBS target...)
#
# One room = one static library kbx_NAME built from src/NAME/**/*.cpp. Its include directory is a build-tree
# folder that holds one symlink NAME -> src/NAME, so a file can include only the rooms that were declared (and,
# through PUBLIC linking, what those declared). A room must be declared after everything it depends on, so a
# cycle cannot be written.
function(kbx_room NAME)
  cmake_parse_arguments(ROOM "" "" "DEPS;LIBS" ${ARGN})
  foreach(dep IN LISTS ROOM_DEPS)
    if(NOT TARGET kbx_${dep})
      message(FATAL_ERROR "room ${NAME} depends on ${dep}, which is not declared above it")
    endif()
  endforeach()
  set(view ${CMAKE_BINARY_DIR}/rooms/${NAME})
  file(MAKE_DIRECTORY ${view})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/${NAME} ${view}/${NAME} SYMBOLIC)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${NAME}/*.cpp)
  if(NOT sources)
    set(sources ${CMAKE_SOURCE_DIR}/cmake/empty.cpp)
  endif()
  add_library(kbx_${NAME} STATIC ${sources})
  add_library(kbx::${NAME} ALIAS kbx_${NAME})
  target_include_directories(kbx_${NAME} PUBLIC ${view})
  foreach(dep IN LISTS ROOM_DEPS)
    target_link_libraries(kbx_${NAME} PUBLIC kbx_${dep})
  endforeach()
  target_link_libraries(kbx_${NAME} PUBLIC ${ROOM_LIBS} PRIVATE kbx_settings kbx_warnings)
  set_property(GLOBAL APPEND PROPERTY KBX_ROOMS ${NAME})
  set_property(GLOBAL APPEND PROPERTY KBX_ROOM_GRAPH "${NAME} -> ${ROOM_DEPS}")

  # Its unit tests: tests/unit/NAME/*_test.cpp, one binary.
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/unit/${NAME}/*_test.cpp)
  if(KBX_TESTS AND tests)
    add_executable(unit_${NAME} ${tests})
    target_link_libraries(unit_${NAME} PRIVATE kbx_${NAME} kbx_settings GTest::gmock_main)
    target_compile_definitions(unit_${NAME} PRIVATE KBX_SOURCE_DIR="${CMAKE_SOURCE_DIR}" KBX_BINARY_DIR="${CMAKE_BINARY_DIR}")
    set_target_properties(unit_${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    add_test(NAME unit/${NAME} COMMAND unit_${NAME} --gtest_brief=1)
    set_tests_properties(unit/${NAME} PROPERTIES LABELS unit TIMEOUT 300)
  endif()
endfunction()

# kbx_embed(ROOM FILE NAME): src/ROOM/FILE (or an absolute path) becomes `inline constexpr const char NAME[]` in the generated header
# ROOM/<stem>.h, so that one file stays the only source of it.
function(kbx_embed ROOM FILE NAME)
  get_filename_component(stem ${FILE} NAME_WE)
  get_filename_component(source ${FILE} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR}/src/${ROOM})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} text)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/embedded/${ROOM}/${stem}.h CONTENT
    "// Generated from ${FILE}.\n#pragma once\nnamespace kbx::${ROOM} {\ninline constexpr const char ${NAME}[] = R\"kbx(@text@)kbx\";\n}\n" @ONLY)
  target_include_directories(kbx_${ROOM} PRIVATE ${CMAKE_BINARY_DIR}/embedded)
endfunction()
