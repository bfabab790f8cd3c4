# Helpers that give every target the same warnings, include root and sanitizers.

add_library(dslap_build_flags INTERFACE)
target_include_directories(dslap_build_flags INTERFACE ${CMAKE_SOURCE_DIR})
# -pthread everywhere, as gRPC's users get it: precompiled headers are of one set of flags.
target_compile_options(dslap_build_flags INTERFACE -pthread -Wall -Wextra -Wpedantic
                       $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>
                       -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough)
if(DSLAP_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 raises false alarms inside a std::string that is moved when the headers are precompiled.
  target_compile_options(dslap_build_flags INTERFACE -Wno-array-bounds -Wno-restrict
                         -Wno-stringop-overflow)
endif()
if(DSLAP_WERROR)
  target_compile_options(dslap_build_flags INTERFACE -Werror)
endif()
if(DSLAP_SANITIZE)
  # Directory scope: generated code and tests must carry the same instrumentation.
  add_compile_options(-fsanitize=${DSLAP_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${DSLAP_SANITIZE})
  if(DSLAP_SANITIZE MATCHES "undefined")
    # Without the checks of every pointer that is followed: they are half of the compile time, and a
    # bad pointer is what AddressSanitizer finds.
    add_compile_options(-fno-sanitize-recover=undefined
                        -fno-sanitize=null,alignment,object-size,vptr)
  endif()
endif()

# Abseil's locks are invisible to ThreadSanitizer without it; see the file.
set(dslap_sanitizer_support "")
if(DSLAP_SANITIZE MATCHES "thread")
  add_library(dslap_tsan_absl_mutex OBJECT ${CMAKE_SOURCE_DIR}/tests/support/tsan_absl_mutex.cc)
  target_link_libraries(dslap_tsan_absl_mutex PRIVATE absl::synchronization dslap_build_flags)
  set(dslap_sanitizer_support dslap_tsan_absl_mutex)
endif()

find_program(DSLAP_MOLD mold)
if(DSLAP_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# dslap_library(NAME SOURCES a.cc a.h DEPS absl::status ...)
# The DEPS are the folder rules of docs/walkthrough.md: what is not listed cannot be used.
function(dslap_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC ${ARG_DEPS} PRIVATE dslap_build_flags)
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
  if(DSLAP_PRECOMPILE AND "${ARG_SOURCES}" MATCHES "\\.cc")
    target_precompile_headers(${name} REUSE_FROM dslap_headers)
    target_include_directories(${name} SYSTEM PRIVATE ${CMAKE_BINARY_DIR}/proto)
  endif()
endfunction()

# dslap_binary(NAME SOURCES main.cc DEPS ...)
function(dslap_binary name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} ${dslap_sanitizer_support} dslap_build_flags)
endfunction()

# dslap_test(NAME SOURCES x_test.cc DEPS ... LABELS unit|component|integration|e2e [TIMEOUT seconds])
# One ctest entry for each test program; LABELS choose what the sanitizer builds run. All tests of a
# folder get the labels in DSLAP_FOLDER_LABELS, if it is set there.
function(dslap_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;DEPS;LABELS;ENVIRONMENT" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} ${dslap_sanitizer_support} GTest::gmock
                        GTest::gtest_main dslap_build_flags)
  # What is tested keeps its optimisation and all its debug information; the test itself runs once,
  # and either takes longer than that. Lines are enough for a backtrace.
  target_compile_options(${name} PRIVATE -O0 -g1)
  if(DSLAP_PRECOMPILE)
    target_precompile_headers(${name} REUSE_FROM dslap_test_headers)
    target_include_directories(${name} SYSTEM PRIVATE ${CMAKE_BINARY_DIR}/proto)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  # Servers that lie have the client library ask for more memory than there is: it is to be told so.
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS};${DSLAP_FOLDER_LABELS}"
    ENVIRONMENT "ASAN_OPTIONS=allocator_may_return_null=1;TSAN_OPTIONS=allocator_may_return_null=1 ignore_noninstrumented_modules=1 suppressions=${CMAKE_SOURCE_DIR}/tests/tsan.supp second_deadlock_stack=1;${ARG_ENVIRONMENT}")
endfunction()

# DSLAP_PRECOMPILE: what most sources include is read once for all of them. A source that is compiled
# with other macros passes them over, and reads the headers itself.
set(CMAKE_PCH_WARN_INVALID OFF)
if(NOT EXISTS ${CMAKE_BINARY_DIR}/headers.cc)
  file(WRITE ${CMAKE_BINARY_DIR}/headers.cc "")
endif()
set(dslap_precompiled_headers
  <algorithm> <cstdint> <functional> <map> <memory> <optional> <string> <string_view> <utility>
  <variant> <vector>
  <absl/base/thread_annotations.h> <absl/status/statusor.h> <absl/strings/str_cat.h>
  <absl/strings/str_join.h> <absl/synchronization/mutex.h> <absl/time/clock.h>
  <dslap/v1/agent.pb.h>)

function(dslap_header_library name)
  cmake_parse_arguments(ARG "" "" "HEADERS;DEPS" ${ARGN})
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/headers.cc)
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} dslap_proto absl::status absl::statusor absl::strings
                        absl::synchronization absl::time dslap_build_flags)
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS} ${dslap_precompiled_headers})
endfunction()

function(dslap_precompile_headers)
  dslap_header_library(dslap_headers)
endfunction()

function(dslap_precompile_test_headers)
  dslap_header_library(dslap_test_headers HEADERS <gmock/gmock.h> <gtest/gtest.h>
                       DEPS GTest::gmock GTest::gtest)
  target_compile_options(dslap_test_headers PRIVATE -O0 -g1)
endfunction()

# dslap_mysql9_test(NAME): the program of the dslap_test NAME, which uses Sandbox(), once more
# against MySQL 9 instead of MariaDB: tests/support/sandbox_database.h.
function(dslap_mysql9_test name)
  get_test_property(${name} TIMEOUT timeout)
  get_test_property(${name} LABELS labels)
  get_test_property(${name} RUN_SERIAL serial)
  get_test_property(${name} ENVIRONMENT environment)
  add_test(NAME ${name}_mysql9 COMMAND ${name})
  set_tests_properties(${name}_mysql9 PROPERTIES TIMEOUT ${timeout} LABELS "${labels};mysql9"
    ENVIRONMENT "${environment};DSLAP_TEST_SERVER=mysql9")
  if(serial)
    set_tests_properties(${name}_mysql9 PROPERTIES RUN_SERIAL TRUE)
  endif()
endfunction()
