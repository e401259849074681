# Third-party libraries: Debian packages, and the two tree-sitter source packages that tools/setup lays under third_party/.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(Threads REQUIRED)
find_library(KBX_LIBMD md REQUIRED)

add_library(kbx_third_party INTERFACE)
target_link_libraries(kbx_third_party INTERFACE fmt::fmt nlohmann_json::nlohmann_json Threads::Threads ${KBX_LIBMD})

set(KBX_TREE_SITTER ${CMAKE_SOURCE_DIR}/third_party CACHE PATH "folder with tree-sitter/ and tree-sitter-python/ sources")
if(NOT EXISTS ${KBX_TREE_SITTER}/tree-sitter-python/src/parser.c)
  message(FATAL_ERROR "tree-sitter sources are not under ${KBX_TREE_SITTER}: run tools/setup (or `make`) once")
endif()
set(ts ${KBX_TREE_SITTER}/tree-sitter/tree_sitter/core/lib)
set(tspy ${KBX_TREE_SITTER}/tree-sitter-python/src)
# The grammar includes <tree_sitter/parser.h> and friends: the core's own copies are laid out under that name.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/tree_sitter_include/tree_sitter)
foreach(h parser.h array.h alloc.h)
  file(COPY ${ts}/src/${h} DESTINATION ${CMAKE_BINARY_DIR}/tree_sitter_include/tree_sitter)
endforeach()
add_library(tree_sitter_python STATIC ${ts}/src/lib.c ${tspy}/parser.c ${tspy}/scanner.c)
target_include_directories(tree_sitter_python SYSTEM PUBLIC ${ts}/include PRIVATE ${ts}/src ${CMAKE_BINARY_DIR}/tree_sitter_include)
set_target_properties(tree_sitter_python PROPERTIES C_STANDARD 11)
target_compile_options(tree_sitter_python PRIVATE -w)

# CUDA's and CUPTI's headers, for the types alone: nothing is linked, the driver and CUPTI are loaded at run time. Triton's
# wheel brings both (3.2 those of CUDA 12.4, 3.6 of 12.8, 3.9 of 13.1: all of them do); a CUDA toolkit does as well.
file(GLOB KBX_TRITON_INCLUDES ${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages/triton/backends/nvidia/include)
if(DEFINED ENV{KBX_PYTHON})
  execute_process(COMMAND $ENV{KBX_PYTHON} -c "import importlib.util as u; print(u.find_spec('triton').submodule_search_locations[0])"
    OUTPUT_VARIABLE KBX_TRITON_FOLDER OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  list(PREPEND KBX_TRITON_INCLUDES ${KBX_TRITON_FOLDER}/backends/nvidia/include)
endif()
find_path(KBX_CUDA_INCLUDE cuda.h PATHS ${KBX_TRITON_INCLUDES} /usr/local/cuda/include NO_DEFAULT_PATH
  DOC "folder with cuda.h")
find_path(KBX_CUPTI_INCLUDE cupti.h PATHS ${KBX_TRITON_INCLUDES} /usr/local/cuda/include /usr/local/cuda/extras/CUPTI/include NO_DEFAULT_PATH
  DOC "folder with cupti.h and cupti_callbacks.h")
foreach(part CUDA:cuda.h CUPTI:cupti.h)
  string(REPLACE ":" ";" part ${part})
  list(GET part 0 name)
  list(GET part 1 header)
  if(NOT KBX_${name}_INCLUDE)
    message(FATAL_ERROR "${header} was not found, neither in Triton's wheel (looked in: ${KBX_TRITON_INCLUDES}) nor in /usr/local/cuda. "
      "The wheels of triton 3.2 to 3.9 bring it as triton/backends/nvidia/include/${header}: run tools/setup, or unpack one anywhere "
      "(pip download --no-deps triton==3.6.0) and say -DKBX_${name}_INCLUDE=FOLDER. A Triton built from source or for another vendor has none.")
  endif()
endforeach()
add_library(kbx_cuda_headers INTERFACE)
target_include_directories(kbx_cuda_headers SYSTEM INTERFACE ${KBX_CUDA_INCLUDE} ${KBX_CUPTI_INCLUDE})
target_link_libraries(kbx_cuda_headers INTERFACE ${CMAKE_DL_LIBS})

# libcurl's header, for the types alone: the library is loaded when models are asked (`kbx run`).
find_path(KBX_CURL_INCLUDE curl/curl.h REQUIRED DOC "folder with curl/curl.h (Debian: libcurl4-openssl-dev)")
add_library(kbx_curl INTERFACE)
target_include_directories(kbx_curl SYSTEM INTERFACE ${KBX_CURL_INCLUDE})
target_link_libraries(kbx_curl INTERFACE ${CMAKE_DL_LIBS})
