// disk_identity.h: which disks a page tells of: the hardware behind "node/device".
//
// Compared are world-wide name, serial number and model, and without the first two the size, each
// only where both sides tell it. A page that gives one device two identities says nothing of it.
// A reboot deals out the kernel's names anew, so a name may stand for another disk of the node from
// one page to the next. Threads: pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagnoser/intake/page_reader.h"
#include "diagnoser/intake/scrape.h"
#include "diagnoser/mapping/directory.h"

namespace limpet {

struct DiskChange {
  std::uint32_t disk = 0;  // number in the directory
  std::string home;        // see Directory::Renew
  bool is_new = false;     // the node had no such disk before under any name
};

// Known disks of which those lines say that they are others. Only lines that the cache does not
// know are looked at: all others said the same on an earlier page.
[[nodiscard]] std::vector<DiskChange> FindReplacedDisks(std::span<const PageReader::NewLine> lines,
                                                        const Scrape& scrape,
                                                        const Directory& directory);
// The disks of a node that has booted, of which nothing tells whether they kept their names.
[[nodiscard]] std::vector<DiskChange> FindUnknownDisks(std::string_view node,
                                                       const Directory& directory);

}  // namespace limpet
