# What is installed where, and the Debian packages of both programs; scripts/rpm makes RPMs:
#   cmake --build --preset release --target package      → build/release/limpet-*.deb
set(LIMPET_DEBIAN_REVISION 1 CACHE STRING "Revision of the Debian packages, such as 1~deb13")
set(LIMPET_MAINTAINER "Limpet maintainers <root@localhost>")

# The time that all files of the packages have: that of the last commit, so that the same commit makes the same bytes.
set(LIMPET_EPOCH $ENV{SOURCE_DATE_EPOCH})
if(NOT LIMPET_EPOCH)
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE LIMPET_EPOCH
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT LIMPET_EPOCH)
  string(TIMESTAMP LIMPET_EPOCH "%s" UTC)  # not a clone
endif()
set(ENV{SOURCE_DATE_EPOCH} ${LIMPET_EPOCH})  # string(TIMESTAMP) says it, too
file(WRITE ${CMAKE_BINARY_DIR}/CPackEpoch.cmake "set(ENV{SOURCE_DATE_EPOCH} ${LIMPET_EPOCH})
if(EXISTS ${CMAKE_BINARY_DIR}/page/missing)
  file(READ ${CMAKE_BINARY_DIR}/page/missing reason)
  message(FATAL_ERROR \"The package would have no live page: \${reason}Build it with Node.js and npm (scripts/setup --build), \"
                      \"from a source archive, which has the page's bundle, or without it: LIMPET_PAGE=OFF.\")
endif()
")
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_BINARY_DIR}/CPackEpoch.cmake)

function(limpet_package PROGRAM SHORT DESCRIPTION)
  string(REPLACE "-" "_" component ${PROGRAM})
  install(TARGETS ${PROGRAM} RUNTIME DESTINATION bin COMPONENT ${component})
  set(permissions OWNER_READ OWNER_WRITE GROUP_READ)
  if(NOT SHORT STREQUAL diagnoser)  # the diagnoser's may hold passwords; postinst gives it its group
    list(APPEND permissions WORLD_READ)
  endif()
  install(FILES ${CMAKE_SOURCE_DIR}/config/${SHORT}.yml DESTINATION /etc/limpet PERMISSIONS ${permissions}
          COMPONENT ${component})
  install(FILES ${CMAKE_SOURCE_DIR}/config/systemd/${PROGRAM}.service DESTINATION /lib/systemd/system
          COMPONENT ${component})
  install(FILES ${CMAKE_SOURCE_DIR}/config/completion/limpet RENAME ${PROGRAM}
          DESTINATION share/bash-completion/completions COMPONENT ${component})
  install(FILES ${CMAKE_SOURCE_DIR}/config/debian/copyright DESTINATION share/doc/${PROGRAM}
          COMPONENT ${component})
  limpet_sbom(${PROGRAM} ${component})
  limpet_compressed(${CMAKE_SOURCE_DIR}/docs/man/${PROGRAM}.1 share/man/man1 ${component})
  limpet_compressed(${CMAKE_SOURCE_DIR}/CHANGELOG.md share/doc/${PROGRAM} ${component} changelog.gz)
  set(debian ${CMAKE_BINARY_DIR}/compressed/${component}/changelog.Debian)
  string(TIMESTAMP date "%a, %d %b %Y 00:00:00 +0000" UTC)
  file(WRITE ${debian} "${PROGRAM} (${PROJECT_VERSION}-${LIMPET_DEBIAN_REVISION}) unstable; urgency=medium\n\n"
       "  * What is new stands in changelog.gz.\n\n -- ${LIMPET_MAINTAINER}  ${date}\n")
  limpet_compressed(${debian} share/doc/${PROGRAM} ${component})

  string(TOUPPER ${component} upper)
  set(control ${CMAKE_SOURCE_DIR}/config/debian/${SHORT})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${PROGRAM} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${DESCRIPTION}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_CONTROL_EXTRA
      "${control}/conffiles;${control}/postinst;${control}/prerm;${control}/postrm" PARENT_SCOPE)
endfunction()

# What PROGRAM consists of, as SPDX, written whenever it is linked: sbom/PROGRAM.spdx.json in the build folder.
find_path(LIMPET_CLI11_INCLUDE CLI/CLI.hpp)
find_path(LIMPET_JSON_INCLUDE nlohmann/json.hpp)
mark_as_advanced(LIMPET_CLI11_INCLUDE LIMPET_JSON_INCLUDE)
function(limpet_sbom PROGRAM COMPONENT)
  get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  set(compiled_in $<TARGET_FILE:Boost::regex> ${Boost_INCLUDE_DIRS}/boost/version.hpp ${LIMPET_CLI11_INCLUDE}/CLI/CLI.hpp
      ${LIMPET_JSON_INCLUDE}/nlohmann/json.hpp)
  if(PROGRAM STREQUAL "limpet-diagnoser")
    list(APPEND compiled_in ${eigen}/Eigen/Core)
  elseif(LIMPET_BPF_ENABLED)
    list(APPEND compiled_in ${LIMPET_LIBBPF})
    if(LIMPET_LIBELF_IS_WHOLE)
      list(APPEND compiled_in ${LIMPET_LIBELF})
    endif()
  endif()
  set(page_lock "")
  if(PROGRAM STREQUAL "limpet-diagnoser" AND TARGET limpet_page AND
     (EXISTS ${CMAKE_BINARY_DIR}/page/installed OR EXISTS ${CMAKE_SOURCE_DIR}/diagnoser/page/bundle/assets.cc))
    set(page_lock ${CMAKE_SOURCE_DIR}/diagnoser/page/package-lock.json)
  endif()
  set(out ${CMAKE_BINARY_DIR}/sbom/${PROGRAM}.spdx.json)
  set(architecture ${CPACK_DEBIAN_PACKAGE_ARCHITECTURE})
  if(NOT architecture)
    execute_process(COMMAND dpkg --print-architecture OUTPUT_VARIABLE architecture ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=${PROGRAM} -DVERSION=${PROJECT_VERSION} -DBINARY=$<TARGET_FILE:${PROGRAM}>
            "-DCOMPILED_IN=${compiled_in}" -DPAGE_LOCK=${page_lock} -DARCHITECTURE=${architecture} -DEPOCH=${LIMPET_EPOCH}
            "-DLIBRARY_FOLDER=/lib/${CMAKE_LIBRARY_ARCHITECTURE};/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE};/lib64;/usr/lib64"
            -DOBJDUMP=${CMAKE_OBJDUMP} -DOUT=${out} -P ${CMAKE_SOURCE_DIR}/cmake/Sbom.cmake
    DEPENDS ${PROGRAM} ${CMAKE_SOURCE_DIR}/cmake/Sbom.cmake
    COMMENT "What ${PROGRAM} consists of" VERBATIM)
  add_custom_target(${PROGRAM}-sbom ALL DEPENDS ${out})
  install(FILES ${out} DESTINATION share/doc/${PROGRAM} COMPONENT ${COMPONENT})
endfunction()

# Compressed as Debian wants it: without a time, at the highest level.
function(limpet_compressed FILE FOLDER COMPONENT)
  get_filename_component(name ${FILE} NAME)
  set(target ${name}.gz)
  if(ARGC GREATER 3)
    set(target ${ARGV3})
  endif()
  set(made ${CMAKE_BINARY_DIR}/compressed/${COMPONENT}/${target})
  get_filename_component(folder ${made} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND gzip -9nc ${FILE} OUTPUT_FILE ${made} COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${FILE})
  install(FILES ${made} DESTINATION ${FOLDER} COMPONENT ${COMPONENT})
endfunction()

# README where the units say it is; for the diagnoser also all documents, the rules, dashboards and examples.
foreach(short exporter diagnoser)
  install(FILES README.md SECURITY.md DESTINATION share/doc/limpet-${short} COMPONENT limpet_${short})
endforeach()
install(DIRECTORY docs DESTINATION share/doc/limpet-diagnoser COMPONENT limpet_diagnoser PATTERN man EXCLUDE)
install(FILES config/prometheus/alerts.yml config/prometheus/recording.yml config/prometheus/scrape.yml
              config/prometheus/alertmanager.yml
        DESTINATION share/limpet/prometheus COMPONENT limpet_diagnoser)
install(DIRECTORY grafana/dashboards DESTINATION share/limpet/grafana COMPONENT limpet_diagnoser FILES_MATCHING PATTERN "*.json")
install(DIRECTORY config/examples config/metrics DESTINATION share/limpet COMPONENT limpet_diagnoser)
install(DIRECTORY config/actions DESTINATION share/limpet USE_SOURCE_PERMISSIONS COMPONENT limpet_diagnoser)

install(FILES config/systemd/limpet-actions.service DESTINATION share/limpet/systemd COMPONENT limpet_diagnoser)

limpet_package(limpet-exporter exporter
  "Samples disks, network interfaces, congestion windows and the host once a\nsecond and serves them to Prometheus and limpet-diagnoser, or records them.")
limpet_package(limpet-diagnoser diagnoser
  "Compares servers that hold stripes of the same files, names the one that slows\nthem all and says why, as metrics for Prometheus, Grafana and Alertmanager.")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME limpet)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${LIMPET_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_RELEASE ${LIMPET_DEBIAN_REVISION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds the limping server of a parallel file system")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_SET_DESTDIR OFF)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL limpet_exporter limpet_diagnoser)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_LIMPET_DIAGNOSER_PACKAGE_DEPENDS "passwd")  # groupadd
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
