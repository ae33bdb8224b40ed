// disk_identity.h: whose disks a page tells of: the names of the hardware behind "node/device".
//
// Compared are world-wide name, serial number and model, each only where both sides tell it. A page
// that gives one device two identities says nothing of it.
// Threads: pure.
#pragma once

#include <set>
#include <span>
#include <string>

#include "diagnoser/mapping/directory.h"
#include "diagnoser/pipeline/page_reader.h"
#include "diagnoser/pipeline/scrape.h"

namespace limpet {

// The nodes of those lines that say of a known disk that it is another one. Only lines that the
// cache does not know are looked at: all others said the same on an earlier page.
[[nodiscard]] std::set<std::string, std::less<>> FindReplacedDisks(
    std::span<const PageReader::NewLine> lines, const Scrape& scrape, const Directory& directory);

}  // namespace limpet
