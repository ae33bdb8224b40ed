// drive_pages.h: hands what a store says of a host's drives to a diagnosis.
#pragma once

#include <cstddef>

#include "diagnoser/pipeline/pipeline.h"
#include "tests/simulator/drives.h"

namespace limpet::accuracy {

// The host is target and node "h<host>" of role "io". Throws std::runtime_error with the reason
// where the page is refused.
void IngestHost(const simulator::Drives& drives, std::size_t host, UnixTime at, Pipeline& pipeline);

}  // namespace limpet::accuracy
