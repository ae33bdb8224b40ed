# limpet_flags: the only place with compiler options.
add_library(limpet_flags INTERFACE)
target_compile_features(limpet_flags INTERFACE cxx_std_20)
target_include_directories(limpet_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_definitions(limpet_flags INTERFACE LIMPET_VERSION="${PROJECT_VERSION}")
target_compile_options(limpet_flags INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor
  -Wold-style-cast -Wcast-align -Woverloaded-virtual -Wnull-dereference -Wdouble-promotion
  -Wimplicit-fallthrough -fno-omit-frame-pointer
  -Wno-missing-field-initializers)  # designated initialisers leave out what has a default
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # GCC 12 reports false positives of these inside its own library when it inlines.
  target_compile_options(limpet_flags INTERFACE -Wno-null-dereference -Wno-restrict)
  # The compiler tidies its memory from half a gigabyte on, not from 128 MB: 5 % less time for a fifth more memory.
  target_compile_options(limpet_flags INTERFACE --param=ggc-min-heapsize=524288)
  if(LIMPET_PRECOMPILE)
    # What comes out of a precompiled header is not known as its own any more; the other presets keep these warnings.
    target_compile_options(limpet_flags INTERFACE -Wno-array-bounds -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endif()
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Several sources as one: a type of a source's own looks like one of a header.
  target_compile_options(limpet_flags INTERFACE -Wno-subobject-linkage)
endif()
# A hundred tests take half the time to link. What is shipped is left to the usual linker.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=gold LIMPET_HAS_GOLD)
if(LIMPET_HAS_GOLD AND LIMPET_TESTS)
  target_link_options(limpet_flags INTERFACE -fuse-ld=gold)
endif()
if(LIMPET_SANITIZE)
  target_compile_options(limpet_flags INTERFACE -fsanitize=${LIMPET_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(limpet_flags INTERFACE -fsanitize=${LIMPET_SANITIZE})
  if(LIMPET_SANITIZE MATCHES thread)
    # GCC's thread sanitizer does not know fences; Asio's own locks order all that we use.
    target_compile_definitions(limpet_flags INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
  endif()
endif()
if(LIMPET_FUZZ)
  target_compile_options(limpet_flags INTERFACE -fsanitize=fuzzer-no-link,address,undefined
                                                -fno-sanitize-recover=all)
  target_link_options(limpet_flags INTERFACE -fsanitize=address,undefined)
endif()

# Build types differ only here. Debug keeps some optimisation: tests crunch numbers.
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g1")
# What is shipped is hardened (docs/decisions/0141): checked copies, guarded stacks, and jumps that
# land only where one may. tests/package/hardening_test.py looks for each in the programs.
set(LIMPET_HARDENING "-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  string(APPEND LIMPET_HARDENING " -fcf-protection=full")
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64")
  string(APPEND LIMPET_HARDENING " -mbranch-protection=standard")
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG ${LIMPET_HARDENING}")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG ${LIMPET_HARDENING}")
# All symbols are bound at the start and their table is read-only from then on.
target_link_options(limpet_flags INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
# Compiled and linked so that the program can be loaded anywhere.
include(CheckPIESupported)
check_pie_supported()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# Files with Beast need over 1 GB each under sanitizers: one at a time.
set_property(GLOBAL PROPERTY JOB_POOLS heavy=1)
