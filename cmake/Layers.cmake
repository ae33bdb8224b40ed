# Data flows one way and so do includes. A library may use only what its row names (and what those
# may use in turn); anything else stops the configuration. The names are folders.
set(LIMPET_LAYERS
  "exporter/common:"
  "exporter/common/exposition:exporter/common"
  "exporter/common/columns:exporter/common/exposition"
  "exporter/common/web:exporter/common/exposition"
  "exporter/kernel:exporter/common"
  "exporter/io:exporter/kernel"
  "exporter/bpf:exporter/common"
  "exporter/collectors:exporter/kernel exporter/io exporter/bpf exporter/common/exposition"
  "exporter/sampler:exporter/collectors"
  "exporter/record:exporter/sampler exporter/common/columns"
  "exporter/probe:exporter/common/exposition"
  "exporter:exporter/record exporter/probe exporter/common/web"
  "diagnoser/metrics:exporter/common"
  "diagnoser/sources:diagnoser/metrics exporter/common/exposition exporter/common/columns"
  "diagnoser/mapping:diagnoser/metrics exporter/common/exposition"
  "diagnoser/series:diagnoser/mapping"
  "diagnoser/detect/kernels:diagnoser/series"
  "diagnoser/detect:diagnoser/detect/kernels"
  "diagnoser/verdict:diagnoser/detect"
  "diagnoser/facts:diagnoser/verdict"
  "diagnoser/custom:diagnoser/verdict"
  "diagnoser/intake:diagnoser/facts diagnoser/custom exporter/common/columns"
  "diagnoser/view:diagnoser/intake"
  "diagnoser/evidence:diagnoser/view"
  "diagnoser/evidence/packets:diagnoser/evidence"
  "diagnoser/evidence/windows:diagnoser/evidence/packets"
  "diagnoser/evidence/groups:diagnoser/evidence/windows"
  "diagnoser/evidence/profiles:diagnoser/evidence"
  "diagnoser/evidence/syscalls:diagnoser/evidence"
  "diagnoser/evidence/storage:diagnoser/evidence/windows"
  "diagnoser/pipeline:diagnoser/evidence/groups diagnoser/evidence/profiles diagnoser/evidence/syscalls diagnoser/evidence/storage"
  "diagnoser/training:diagnoser/pipeline"
  "diagnoser/state:diagnoser/pipeline"
  "diagnoser/history:diagnoser/pipeline"
  "diagnoser/incidents:diagnoser/pipeline diagnoser/sources"
  "diagnoser/publish:diagnoser/history diagnoser/incidents diagnoser/sources"
  "diagnoser/config:diagnoser/history diagnoser/incidents diagnoser/sources"
  "diagnoser/page:"
  "diagnoser/runtime:diagnoser/config diagnoser/state diagnoser/publish diagnoser/page exporter/common/web"
  "diagnoser/federation:diagnoser/runtime"
  "diagnoser/commands:diagnoser/federation diagnoser/training"
  "diagnoser:diagnoser/commands")

# Sets OUT to LAYER and everything it may use, directly or through others.
function(limpet_allowed LAYER OUT)
  set(result ${LAYER})
  foreach(row IN LISTS LIMPET_LAYERS)
    string(REGEX MATCH "^([^:]+):(.*)$" _ "${row}")
    if(CMAKE_MATCH_1 STREQUAL LAYER)
      string(REPLACE " " ";" below "${CMAKE_MATCH_2}")
      foreach(one IN LISTS below)
        limpet_allowed(${one} more)
        list(APPEND result ${more})
      endforeach()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES result)
  set(${OUT} "${result}" PARENT_SCOPE)
endfunction()

# The layer of a file: the longest folder of the table that holds it.
function(limpet_layer_of FILE OUT)
  set(best "")
  foreach(row IN LISTS LIMPET_LAYERS)
    string(REGEX MATCH "^([^:]+):" _ "${row}")
    set(name ${CMAKE_MATCH_1})
    string(FIND "${FILE}" "${name}/" slash)
    if(slash EQUAL 0)
      string(LENGTH "${name}" length)
      string(LENGTH "${best}" best_length)
      if(length GREATER best_length)
        set(best ${name})
      endif()
    endif()
  endforeach()
  set(${OUT} "${best}" PARENT_SCOPE)
endfunction()

# Reads the includes of every source of the two programs and refuses one that points the wrong way.
function(limpet_check_layers)
  file(GLOB_RECURSE sources RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/exporter/*.h ${CMAKE_SOURCE_DIR}/exporter/*.cc
       ${CMAKE_SOURCE_DIR}/diagnoser/*.h ${CMAKE_SOURCE_DIR}/diagnoser/*.cc)
  foreach(source IN LISTS sources)
    limpet_layer_of(${source} layer)
    limpet_allowed(${layer} allowed)
    file(STRINGS ${CMAKE_SOURCE_DIR}/${source} includes REGEX "^#include \"(exporter|diagnoser|tests)/")
    foreach(line IN LISTS includes)
      string(REGEX MATCH "\"([^\"]+)\"" _ "${line}")
      limpet_layer_of(${CMAKE_MATCH_1} target)
      if(NOT target IN_LIST allowed)
        message(FATAL_ERROR "${source} includes ${CMAKE_MATCH_1}: layer '${layer}' may not use "
                            "'${target}' (cmake/Layers.cmake)")
      endif()
    endforeach()
  endforeach()
endfunction()
