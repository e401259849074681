# The program as it is released: release/kbx, which needs glibc alone (tools/dist). The same objects as bin/kbx, linked
# again: what Debian has as a shared library comes as an archive, whole and first, so that --as-needed drops the .so.
find_library(KBX_SQLITE_ARCHIVE libsqlite3.a)
if(KBX_LIBMD_ARCHIVE AND KBX_SQLITE_ARCHIVE)
  add_executable(kbx_release EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/cmake/empty.cpp)
  target_link_libraries(kbx_release PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,kbx_cli>" "$<LINK_LIBRARY:WHOLE_ARCHIVE,kbx_fmt>" m)
  target_link_options(kbx_release PRIVATE -static-libstdc++ -static-libgcc LINKER:--as-needed LINKER:--gc-sections
    LINKER:--whole-archive,${KBX_SQLITE_ARCHIVE},${KBX_LIBMD_ARCHIVE},--no-whole-archive)
  set_target_properties(kbx_release PROPERTIES OUTPUT_NAME kbx RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/release)
endif()
