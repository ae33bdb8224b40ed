# One call per module, sources named one by one.
#
#   limpet_library(NAME SOURCES a.cc … [LINK lib …])
#   limpet_program(NAME SOURCES main.cc … LINK lib …)
#   limpet_test(NAME SOURCES a_test.cc … LINK lib … [LABELS unit …] [TIMEOUT seconds] [COST seconds])
#                                                      COST: about how long it takes, if over 5 s; what takes long begins early
#                                                      with properties: LINK rapidcheck, tests/support/property.h
#   limpet_mirror_test(NAME OF library [MORE b_test.cc …] [LINK lib …])
#                                                      the X_test.cc of each X.cc of the library
#   limpet_benchmark(NAME SOURCES a_bench.cc LINK lib …)
#   limpet_fuzzer(NAME SOURCES a_fuzz.cc LINK lib …)   corpus: tests/fuzz/corpus/NAME/
#   limpet_heavy(NAME)                                 a library whose sources compile one at a time
#   limpet_cold(NAME …)                                libraries that earn little optimisation
#
# Every .cc file must be named by one of them: see limpet_check_unlisted.

function(limpet_note_sources)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE path)
    set_property(GLOBAL APPEND PROPERTY LIMPET_LISTED ${path})
  endforeach()
endfunction()

# What most sources include, compiled once: a third of what libraries take. Only headers of other people, and not in every preset,
# so that a source which forgets to include what it uses does not compile there, nor under clang-tidy.
set(LIMPET_COMMON_HEADERS <algorithm> <array> <chrono> <cmath> <cstddef> <cstdint> <functional> <map> <memory>
    <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>)

function(limpet_library_headers NAME)
  if(NOT LIMPET_PRECOMPILE)
    return()
  endif()
  if(NOT TARGET limpet_library_headers)
    file(WRITE ${CMAKE_BINARY_DIR}/library_headers.cc "")
    add_library(limpet_library_headers STATIC ${CMAKE_BINARY_DIR}/library_headers.cc)
    target_link_libraries(limpet_library_headers PRIVATE limpet_flags fmt::fmt)
    target_precompile_headers(limpet_library_headers PRIVATE ${LIMPET_COMMON_HEADERS} <fmt/format.h>)
  endif()
  target_precompile_headers(${NAME} REUSE_FROM limpet_library_headers)
  # GCC takes a precompiled header only where macros are what they were.
  target_compile_definitions(${NAME} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
endfunction()

function(limpet_library NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  limpet_note_sources(${ARG_SOURCES})
  add_library(${NAME} STATIC ${ARG_SOURCES})
  target_link_libraries(${NAME} PUBLIC limpet_flags ${ARG_LINK})
  limpet_library_headers(${NAME})
endfunction()

function(limpet_program NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  limpet_note_sources(${ARG_SOURCES})
  add_executable(${NAME} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE limpet_flags ${ARG_LINK})
endfunction()

# Half cores that a test keeps busy, of which presets give four (CMakePresets.json, jobs): a unit test computes, an end-to-end
# test mostly waits, but for what sanitizers make of it.
set(LIMPET_COMPUTES 2)
if(LIMPET_SANITIZE)
  set(LIMPET_WAITS 2)
  set(LIMPET_SLOWER 4)
else()
  set(LIMPET_WAITS 1)
  set(LIMPET_SLOWER 1)
endif()

# So many seconds at most for each of these tests; programs under sanitizers take longer.
function(limpet_time_limit SECONDS)
  math(EXPR SECONDS "${LIMPET_SLOWER} * ${SECONDS}")
  set_tests_properties(${ARGN} PROPERTIES TIMEOUT ${SECONDS})
endfunction()

# Races that are none: tests/tsan.supp says why.
function(limpet_known_races NAME)
  if(LIMPET_SANITIZE MATCHES thread)
    set_tests_properties(${NAME} PROPERTIES
                         ENVIRONMENT TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/tsan.supp)
  endif()
endfunction()

# What a test itself does is little beside what the compiler does to optimise it: matchers are templates.
set(LIMPET_TEST_OPTIONS $<$<CONFIG:Debug>:-O0>)

# GoogleTest's headers are most of a small test's compile time: they are compiled once for all tests.
function(limpet_test_headers NAME)
  if(NOT TARGET limpet_test_headers)
    file(WRITE ${CMAKE_BINARY_DIR}/test_headers.cc "")
    if(LIMPET_PRECOMPILE)
      set(common ${LIMPET_COMMON_HEADERS})
    endif()
    # A program, because the tests are: a library would compile them with other flags (-fPIC).
    add_executable(limpet_test_headers ${CMAKE_BINARY_DIR}/test_headers.cc)
    target_link_libraries(limpet_test_headers PRIVATE limpet_flags GTest::gmock GTest::gtest_main)
    target_compile_options(limpet_test_headers PRIVATE ${LIMPET_TEST_OPTIONS})
    target_precompile_headers(limpet_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> ${common})
  endif()
  target_precompile_headers(${NAME} REUSE_FROM limpet_test_headers)
endfunction()

# A test's working directory is the source root, so fixtures are named from there.
function(limpet_test NAME)
  cmake_parse_arguments(ARG "" "TIMEOUT;COST" "SOURCES;LINK;LABELS" ${ARGN})
  limpet_note_sources(${ARG_SOURCES})
  if(NOT LIMPET_TESTS)
    return()
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  add_executable(${NAME} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE limpet_flags ${ARG_LINK} GTest::gmock GTest::gtest_main)
  target_compile_options(${NAME} PRIVATE ${LIMPET_TEST_OPTIONS})
  limpet_test_headers(${NAME})
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  add_test(NAME ${NAME} COMMAND ${NAME} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${NAME} PROPERTIES LABELS "${ARG_LABELS}" PROCESSORS ${LIMPET_COMPUTES})
  limpet_time_limit(${ARG_TIMEOUT} ${NAME})
  if(ARG_COST)
    set_tests_properties(${NAME} PROPERTIES COST ${ARG_COST})
  endif()
  limpet_known_races(${NAME})
endfunction()

# The tests beside a library: for each of its sources the test of the same name, where there is one.
# MORE: tests of what is only a header. A new source and its test need no line here.
function(limpet_mirror_test NAME)
  cmake_parse_arguments(ARG "" "OF" "MORE;LINK" ${ARGN})
  get_target_property(sources ${ARG_OF} SOURCES)
  set(tests ${ARG_MORE})
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "\\.cc$" "_test.cc" test ${source})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${test})
      list(APPEND tests ${test})
    endif()
  endforeach()
  list(SORT tests)
  limpet_test(${NAME} SOURCES ${tests} LINK ${ARG_OF} ${ARG_LINK})
endfunction()

function(limpet_benchmark NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  limpet_note_sources(${ARG_SOURCES})
  if(NOT LIMPET_BENCHMARKS)
    return()
  endif()
  add_executable(${NAME} ${ARG_SOURCES})
  target_link_libraries(${NAME} PRIVATE limpet_flags ${ARG_LINK} benchmark::benchmark_main)
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/benchmarks)
endfunction()

# With LIMPET_FUZZ a real fuzzer; otherwise the same file replays its corpus as a test.
function(limpet_fuzzer NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  limpet_note_sources(${ARG_SOURCES})
  set(corpus ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${NAME})
  if(LIMPET_FUZZ)
    add_executable(${NAME} ${ARG_SOURCES})
    target_link_libraries(${NAME} PRIVATE limpet_flags ${ARG_LINK} -fsanitize=fuzzer)
    set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
    set_property(GLOBAL APPEND PROPERTY LIMPET_FUZZERS ${NAME})
  elseif(LIMPET_TESTS)
    add_executable(${NAME} ${ARG_SOURCES} ${CMAKE_SOURCE_DIR}/tests/fuzz/replay_main.cc)
    target_link_libraries(${NAME} PRIVATE limpet_flags ${ARG_LINK})
    set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    add_test(NAME ${NAME} COMMAND ${NAME} ${corpus})
    set_tests_properties(${NAME} PROPERTIES LABELS fuzz-corpus TIMEOUT 60)
    limpet_known_races(${NAME})
  endif()
endfunction()

# What does not run once a sample, a line, a window or a frame: -O1 compiles a tenth to a quarter faster.
function(limpet_cold)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    return()  # takes no precompiled header of -O2 there: options of the processor differ by the level
  endif()
  foreach(name IN LISTS ARGN)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()

# Ninja's pools work per target, so a heavy file (Beast) has a library of its own.
function(limpet_heavy NAME)
  set_property(TARGET ${NAME} PROPERTY JOB_POOL_COMPILE heavy)
endfunction()

# A file that no target builds is a file nobody tests.
function(limpet_check_unlisted)
  get_property(listed GLOBAL PROPERTY LIMPET_LISTED)
  file(GLOB_RECURSE found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/exporter/*.cc ${CMAKE_SOURCE_DIR}/diagnoser/*.cc
       ${CMAKE_SOURCE_DIR}/tests/*.cc)
  list(REMOVE_ITEM found ${listed} ${CMAKE_SOURCE_DIR}/tests/fuzz/replay_main.cc
       ${CMAKE_SOURCE_DIR}/diagnoser/page/bundle/assets.cc)
  if(found)
    list(GET found 0 path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    message(FATAL_ERROR "${path}: no target builds this file; name it in its folder's CMakeLists.txt")
  endif()
endfunction()
