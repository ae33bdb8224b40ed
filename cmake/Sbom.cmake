# Writes what a program consists of as SPDX 2.3 (JSON): its libraries, shared, static and header-only, with their versions
# in Debian and their licences. Run by cmake -P after linking (limpet_sbom in Packages.cmake) and by scripts/tarball.
#
#   PROGRAM    limpet-exporter, limpet-diagnoser, or the name of what holds both
#   BINARY     the program; its direct shared libraries are read from it
#   LIBRARIES  instead: paths of all shared libraries (what the tarball holds)
#   COMPILED_IN       archives and headers that are part of the program itself
#   PAGE_LOCK  package-lock.json, when the live page was bundled
#   VERSION, ARCHITECTURE, LIBRARY_FOLDER, OBJDUMP, EPOCH (Unix seconds), OUT
#
# Same inputs, same bytes. What a machine without dpkg does not know is NOASSERTION, as SPDX wants it.
cmake_minimum_required(VERSION 3.25)

# What we use and under which terms it is declared to be; Debian's copyright files are not made for programs.
set(licences
  libboost1.74-dev=BSL-1.0 libboost-regex1.74-dev=BSL-1.0 "libbpf-dev=LGPL-2.1-only OR BSD-2-Clause"
  libc6=LGPL-2.1-or-later libcap2=BSD-3-Clause libcli11-dev=BSD-3-Clause libcrypt1=LGPL-2.1-or-later
  libeigen3-dev=MPL-2.0 "libelf-dev=GPL-2.0-or-later OR LGPL-3.0-or-later" libfmt9=MIT libfmt-dev=MIT
  "libasan8=GPL-3.0-or-later WITH GCC-exception-3.1" "libubsan1=GPL-3.0-or-later WITH GCC-exception-3.1"
  "libtsan2=GPL-3.0-or-later WITH GCC-exception-3.1"
  "libgcc-s1=GPL-3.0-or-later WITH GCC-exception-3.1" libgcrypt20=LGPL-2.1-or-later libgpg-error0=LGPL-2.1-or-later
  libhwy1=Apache-2.0 libhwy-dev=Apache-2.0 liblz4-1=BSD-2-Clause liblzma5=0BSD libprometheus-cpp-core1.0=MIT
  libseccomp2=LGPL-2.1-only libspdlog1.10=MIT libspdlog-dev=MIT libsqlite3-0=blessing libssl3=Apache-2.0
  "libstdc++6=GPL-3.0-or-later WITH GCC-exception-3.1" libsystemd0=LGPL-2.1-or-later libyaml-cpp0.7=MIT libzstd1=BSD-3-Clause
  nlohmann-json3-dev=MIT zlib1g=Zlib)

# One package and how the program relates to it; appended to the lists "packages" and "relations".
function(add_package NAME VERSION LICENCE REFERENCE RELATION)
  string(REGEX REPLACE "[^A-Za-z0-9.-]" "-" id "SPDXRef-${RELATION}-${NAME}")
  set(package "    {\"SPDXID\": \"${id}\", \"name\": \"${NAME}\", \"versionInfo\": \"${VERSION}\", \
\"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"NOASSERTION\", \
\"licenseDeclared\": \"${LICENCE}\", \"copyrightText\": \"NOASSERTION\"")
  if(REFERENCE)
    string(APPEND package ", \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \
\"referenceType\": \"purl\", \"referenceLocator\": \"${REFERENCE}\"}]")
  endif()
  list(APPEND packages "${package}}")
  list(APPEND relations "    {\"spdxElementId\": \"SPDXRef-${PROGRAM}\", \"relationshipType\": \"${RELATION}\", \
\"relatedSpdxElement\": \"${id}\"}")
  set(packages "${packages}" PARENT_SCOPE)
  set(relations "${relations}" PARENT_SCOPE)
endfunction()

# The same by the name of a Debian package; dpkg says its version.
function(add_debian PACKAGE RELATION)
  execute_process(COMMAND dpkg-query -W -f "\${Version}" ${PACKAGE} OUTPUT_VARIABLE version_here ERROR_QUIET
                  RESULT_VARIABLE failed)
  string(REGEX REPLACE ":.*" "" name ${PACKAGE})
  set(version NOASSERTION)
  set(reference "")
  if(NOT failed AND version_here)
    set(version ${version_here})
    string(REPLACE "+" "%2B" reference "${version}")
    string(REPLACE ":" "%3A" reference "${reference}")
    set(reference "pkg:deb/debian/${name}@${reference}?arch=${ARCHITECTURE}")
  endif()
  set(licence NOASSERTION)
  foreach(row IN LISTS licences)
    string(FIND "${row}" "${name}=" start)
    if(start EQUAL 0)
      string(LENGTH "${name}=" length)
      string(SUBSTRING "${row}" ${length} -1 licence)
    endif()
  endforeach()
  add_package(${name} "${version}" "${licence}" "${reference}" ${RELATION})
  set(packages "${packages}" PARENT_SCOPE)
  set(relations "${relations}" PARENT_SCOPE)
endfunction()

# The names of the Debian packages that own these files, whether dpkg knows them below /lib or /usr/lib.
function(owners OUT)
  set(found "")
  foreach(path IN LISTS ARGN)
    file(REAL_PATH ${path} real)
    string(REGEX REPLACE "^/usr/lib/" "/lib/" short ${real})
    list(APPEND names ${real} ${short})
  endforeach()
  execute_process(COMMAND dpkg-query -S ${names} OUTPUT_VARIABLE rows ERROR_QUIET)
  string(REPLACE "\n" ";" rows "${rows}")
  foreach(row IN LISTS rows)
    if(row MATCHES "^([^:]+)(:[a-z0-9]+)?: ")
      list(APPEND found ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES found)
  list(SORT found)
  set(${OUT} "${found}" PARENT_SCOPE)
endfunction()

set(packages "")
set(relations "")
if(LIBRARIES)
  set(relation CONTAINS)
else()
  set(relation DYNAMIC_LINK)
  set(LIBRARIES "")
  execute_process(COMMAND ${OBJDUMP} -p ${BINARY} OUTPUT_VARIABLE headers COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "NEEDED +[^\n]+" needed "${headers}")
  foreach(row IN LISTS needed)
    string(REGEX REPLACE "NEEDED +" "" soname ${row})
    foreach(folder IN LISTS LIBRARY_FOLDER)
      if(EXISTS ${folder}/${soname})
        list(APPEND LIBRARIES ${folder}/${soname})
        break()
      endif()
    endforeach()
  endforeach()
endif()
owners(shared ${LIBRARIES})
foreach(package IN LISTS shared)
  add_debian(${package} ${relation})
endforeach()
owners(compiled_in ${COMPILED_IN})
foreach(package IN LISTS compiled_in)
  add_debian(${package} STATIC_LINK)
endforeach()
if(PAGE_LOCK)
  file(READ ${PAGE_LOCK} lock)
  foreach(name preact uplot)  # bundled into the live page; esbuild, which bundles, leaves nothing of itself
    string(JSON version GET "${lock}" packages node_modules/${name} version)
    string(JSON licence GET "${lock}" packages node_modules/${name} license)
    add_package(${name} ${version} ${licence} "pkg:npm/${name}@${version}" CONTAINS)
  endforeach()
endif()

string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)
if(EPOCH)
  set(ENV{SOURCE_DATE_EPOCH} ${EPOCH})
  string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)
endif()
list(JOIN packages ",\n" packages)
list(JOIN relations ",\n" relations)
# The name of the document is one of its own for each content.
string(SHA1 digest "${created}${packages}${relations}")
string(UUID unique NAMESPACE 6ba7b811-9dad-11d1-80b4-00c04fd430c8 NAME ${PROGRAM}-${digest} TYPE SHA1)
file(WRITE ${OUT} "{
  \"spdxVersion\": \"SPDX-2.3\",
  \"dataLicense\": \"CC0-1.0\",
  \"SPDXID\": \"SPDXRef-DOCUMENT\",
  \"name\": \"${PROGRAM}-${VERSION}\",
  \"documentNamespace\": \"https://spdx.org/spdxdocs/${PROGRAM}-${VERSION}-${unique}\",
  \"creationInfo\": {\"created\": \"${created}\", \"creators\": [\"Tool: cmake/Sbom.cmake\"]},
  \"documentDescribes\": [\"SPDXRef-${PROGRAM}\"],
  \"packages\": [
    {\"SPDXID\": \"SPDXRef-${PROGRAM}\", \"name\": \"${PROGRAM}\", \"versionInfo\": \"${VERSION}\", \
\"downloadLocation\": \"NOASSERTION\", \"filesAnalyzed\": false, \"licenseConcluded\": \"Apache-2.0\", \
\"licenseDeclared\": \"Apache-2.0\", \"copyrightText\": \"2026 The Limpet authors\", \
\"primaryPackagePurpose\": \"APPLICATION\"},
${packages}
  ],
  \"relationships\": [
    {\"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \
\"relatedSpdxElement\": \"SPDXRef-${PROGRAM}\"},
${relations}
  ]
}
")
