# The live page, bundled by esbuild from diagnoser/page/ and compiled into the program.
#
# LIMPET_PAGE=AUTO  with the page when Node.js and its packages can be had, otherwise without it and a warning; packages
#                   of such a build are an error (Packages.cmake, scripts/tarball)
#             ON    a build without the page is an error
#             OFF   without it; asks for nothing
#
# A source archive (scripts/release) has the bundle in diagnoser/page/bundle/: it is taken as it is, nothing is asked for.
set(LIMPET_PAGE AUTO CACHE STRING "Build the live page into limpet-diagnoser: AUTO, ON or OFF")
set_property(CACHE LIMPET_PAGE PROPERTY STRINGS AUTO ON OFF)

# Says why there is no page; an error when there has to be one.
function(limpet_no_page REASON)
  if(LIMPET_PAGE STREQUAL "AUTO")
    file(WRITE ${CMAKE_BINARY_DIR}/page/missing "${REASON}\n")
    message(WARNING "limpet-diagnoser is built without its live page: ${REASON}. "
                    "LIMPET_PAGE=OFF keeps this quiet, LIMPET_PAGE=ON insists on the page.")
  else()
    message(FATAL_ERROR "LIMPET_PAGE=${LIMPET_PAGE}, but ${REASON}")
  endif()
endfunction()

# Sets OUT to the folder of the installed packages, or to nothing. They lie in the build folder and are installed when
# the lock file has changed; packages for tests only are left out, and no package may run a script.
function(limpet_page_modules OUT)
  set(${OUT} "" PARENT_SCOPE)
  find_program(LIMPET_NODE NAMES node nodejs)
  find_program(LIMPET_NPM NAMES npm)
  mark_as_advanced(LIMPET_NODE LIMPET_NPM)
  if(NOT LIMPET_NODE OR NOT LIMPET_NPM)
    limpet_no_page("node and npm are missing (scripts/setup --build installs them)")
    return()
  endif()
  execute_process(COMMAND ${LIMPET_NODE} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(version MATCHES "^v([0-9]+)" AND CMAKE_MATCH_1 LESS 18)
    limpet_no_page("Node.js ${version} is too old: 18 or newer")
    return()
  endif()
  set(folder ${CMAKE_BINARY_DIR}/page)
  set(lock ${CMAKE_SOURCE_DIR}/diagnoser/page/package-lock.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})
  file(SHA256 ${lock} wanted)
  set(installed "")
  if(EXISTS ${folder}/installed)
    file(READ ${folder}/installed installed)
  endif()
  if(NOT installed STREQUAL wanted)
    message(STATUS "Installing the npm packages that the live page is bundled from")
    file(COPY ${CMAKE_SOURCE_DIR}/diagnoser/page/package.json ${lock} ${CMAKE_SOURCE_DIR}/diagnoser/page/.npmrc
         DESTINATION ${folder})
    execute_process(COMMAND ${LIMPET_NPM} ci --omit=dev --ignore-scripts --no-audit --no-fund
                    WORKING_DIRECTORY ${folder} RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(failed)
      string(STRIP "${said}" said)
      limpet_no_page("npm ci failed:\n${said}\n")
      return()
    endif()
    file(WRITE ${folder}/installed ${wanted})
  endif()
  set(${OUT} ${folder}/node_modules PARENT_SCOPE)
endfunction()

# Sets OUT to the generated source, or to nothing when there is no page.
function(limpet_embed_page OUT)
  set(${OUT} "" PARENT_SCOPE)
  file(REMOVE ${CMAKE_BINARY_DIR}/page/missing)
  if(LIMPET_PAGE STREQUAL "OFF")
    return()
  endif()
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/bundle/assets.cc)
    message(STATUS "The live page is that of the source archive (diagnoser/page/bundle)")
    set(${OUT} ${CMAKE_CURRENT_SOURCE_DIR}/bundle/assets.cc PARENT_SCOPE)
    return()
  endif()
  limpet_page_modules(modules)
  if(NOT modules)
    return()
  endif()
  set(made ${CMAKE_BINARY_DIR}/page/assets.cc)
  # The depfile lists every source of the bundle: one that is changed, added or removed makes it anew.
  add_custom_command(OUTPUT ${made}
    COMMAND ${LIMPET_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/build.mjs --modules ${modules} --docs ${CMAKE_SOURCE_DIR}/docs --cc ${made} --depfile ${made}.d
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/build.mjs ${CMAKE_SOURCE_DIR}/diagnoser/page/package-lock.json
    DEPFILE ${made}.d
    COMMENT "Bundling the live page" VERBATIM)
  set(${OUT} ${made} PARENT_SCOPE)
endfunction()
