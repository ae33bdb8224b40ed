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

# Sets allowed_LAYER, to itself and all that it may use, for every row, and the list LAYERS, in the caller.
macro(limpet_read_layers LAYERS)
  set(${LAYERS} "")
  foreach(row IN LISTS LIMPET_LAYERS)
    string(REGEX MATCH "^([^:]+):(.*)$" _ "${row}")
    set(layer ${CMAKE_MATCH_1})
    string(REPLACE " " ";" below "${CMAKE_MATCH_2}")
    set(allowed_${layer} ${layer})
    foreach(one IN LISTS below)
      if(NOT one IN_LIST ${LAYERS})
        message(FATAL_ERROR "cmake/Layers.cmake: the row of ${layer} names ${one}, which has no row above it")
      endif()
      list(APPEND allowed_${layer} ${allowed_${one}})
    endforeach()
    list(REMOVE_DUPLICATES allowed_${layer})
    list(APPEND ${LAYERS} ${layer})
  endforeach()
endmacro()

# Sets OUT to the layer of a folder: the longest folder of the table that holds it, or nothing. Looked for once a folder:
# sources have thousands of includes.
macro(limpet_layer_of FOLDER OUT)
  if(NOT DEFINED layer_of_${FOLDER})
    set(around ${FOLDER})
    while(around AND NOT around IN_LIST layers)
      cmake_path(GET around PARENT_PATH around)
    endwhile()
    set(layer_of_${FOLDER} "${around}")
  endif()
  set(${OUT} "${layer_of_${FOLDER}}")
endmacro()

# Reads the includes of every source of the two programs and refuses one that points the wrong way.
function(limpet_check_layers)
  limpet_read_layers(layers)
  file(GLOB_RECURSE sources RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS
       ${CMAKE_SOURCE_DIR}/exporter/*.h ${CMAKE_SOURCE_DIR}/exporter/*.cc
       ${CMAKE_SOURCE_DIR}/diagnoser/*.h ${CMAKE_SOURCE_DIR}/diagnoser/*.cc)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    limpet_layer_of(${folder} own)
    file(STRINGS ${CMAKE_SOURCE_DIR}/${source} includes REGEX "^#include \"(exporter|diagnoser|tests)/")
    foreach(line IN LISTS includes)
      string(REGEX MATCH "\"(([^\"]+)/[^/\"]+)\"" _ "${line}")
      set(included ${CMAKE_MATCH_1})
      limpet_layer_of(${CMAKE_MATCH_2} target)
      if(NOT target IN_LIST allowed_${own})
        message(FATAL_ERROR "${source} includes ${included}: layer '${own}' may not use "
                            "'${target}' (cmake/Layers.cmake)")
      endif()
    endforeach()
  endforeach()
endfunction()
