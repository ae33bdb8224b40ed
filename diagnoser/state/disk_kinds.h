// disk_kinds.h: how groups that make themselves were parted, as bytes and back (format.md, kind
// 14).
//
// Threads: pure. What is read is bounded by the bytes.
#pragma once

#include <optional>
#include <vector>

#include "diagnoser/pipeline/state.h"
#include "diagnoser/state/bytes.h"

namespace limpet {

void WriteDiskKinds(const std::vector<DiskKindMemory>& all, ByteWriter& out);
// nullopt when the bytes make no sense.
[[nodiscard]] std::optional<std::vector<DiskKindMemory>> ReadDiskKinds(ByteReader& in);

}  // namespace limpet
