# The programs that run in the kernel (exporter/bpf/*.bpf.c): compiled by clang, embedded as
# skeletons by bpftool, loaded by libbpf. Without these tools the exporter is built without its block
# and syscall collectors, which then say so.
option(LIMPET_BPF "Build the eBPF programs of the block and syscall collectors" ON)
set(LIMPET_BPF_ENABLED OFF)
if(LIMPET_BPF)
  find_program(LIMPET_BPF_CLANG NAMES clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19
               DOC "clang for BPF objects")
  find_program(LIMPET_BPFTOOL NAMES bpftool PATHS /usr/sbin /sbin DOC "makes skeletons of BPF objects")
  # Static, as Boost is: only the loader touches them, for a moment, and packages need nothing more.
  find_library(LIMPET_LIBBPF NAMES libbpf.a)
  find_library(LIMPET_LIBELF NAMES libelf.a)
  # The archive of elfutils 0.190 and later (Debian 13) wants one that no package has: the shared library then.
  if(LIMPET_LIBELF)
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_LIBRARIES ${LIMPET_LIBELF} ZLIB::ZLIB)
    check_cxx_source_compiles("extern \"C\" int elf_end(void*); int main() { return elf_end(nullptr); }" LIMPET_LIBELF_IS_WHOLE)
    unset(CMAKE_REQUIRED_LIBRARIES)
    if(NOT LIMPET_LIBELF_IS_WHOLE)
      find_library(LIMPET_LIBELF_SHARED NAMES elf)
      set(LIMPET_LIBELF ${LIMPET_LIBELF_SHARED})
    endif()
  endif()
  find_path(LIMPET_LIBBPF_INCLUDE bpf/libbpf.h)
  set(missing "")
  foreach(part LIMPET_BPF_CLANG LIMPET_BPFTOOL LIMPET_LIBBPF LIMPET_LIBELF LIMPET_LIBBPF_INCLUDE)
    if(NOT ${part})
      string(APPEND missing " ${part}")
    endif()
  endforeach()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(LIMPET_BPF_ARCHITECTURE x86)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64")
    set(LIMPET_BPF_ARCHITECTURE arm64)
  else()
    string(APPEND missing " (an architecture whose system calls are known: not ${CMAKE_SYSTEM_PROCESSOR})")
  endif()
  if(missing)
    message(WARNING "The block and syscall collectors are left out, because these are missing:${missing}. "
                    "scripts/setup --build installs clang, bpftool, libbpf-dev and libelf-dev; "
                    "-DLIMPET_BPF=OFF leaves the collectors out without this warning.")
  else()
    set(LIMPET_BPF_ENABLED ON)
  endif()
endif()

# NAME.bpf.c of the current folder becomes NAME.skel.h, included as "NAME.skel.h" by whoever links
# the library limpet_bpf_NAME.
function(limpet_bpf_object NAME)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/skeletons)
  file(MAKE_DIRECTORY ${folder})
  set(object ${folder}/${NAME}.bpf.o)
  add_custom_command(
    OUTPUT ${folder}/${NAME}.skel.h
    # -mcpu=v3 (Linux 5.12): atomic operations that return what was there before.
    COMMAND ${LIMPET_BPF_CLANG} -g -O2 -target bpf -mcpu=v3 -D__TARGET_ARCH_${LIMPET_BPF_ARCHITECTURE}
            -ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -fdebug-compilation-dir=.
            -Wall -Werror -I${CMAKE_SOURCE_DIR} -I${LIMPET_LIBBPF_INCLUDE} -MD -MF ${object}.d
            -MT ${folder}/${NAME}.skel.h -c ${CMAKE_CURRENT_SOURCE_DIR}/${NAME}.bpf.c -o ${object}.debug
    # Linking an object with nothing leaves out what only a debugger wants; the types stay.
    COMMAND ${LIMPET_BPFTOOL} gen object ${object} ${object}.debug
    COMMAND ${LIMPET_BPFTOOL} gen skeleton ${object} name ${NAME}_bpf > ${folder}/${NAME}.skel.h
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${NAME}.bpf.c
    DEPFILE ${object}.d
    COMMENT "BPF object ${NAME}" VERBATIM)
  add_custom_target(limpet_bpf_${NAME}_skeleton DEPENDS ${folder}/${NAME}.skel.h)
  add_library(limpet_bpf_${NAME} INTERFACE)
  add_dependencies(limpet_bpf_${NAME} limpet_bpf_${NAME}_skeleton)
  target_include_directories(limpet_bpf_${NAME} SYSTEM INTERFACE ${folder})
endfunction()
