#include "diagnoser/state/disk_kinds.h"

#include <utility>

namespace limpet {
namespace {

std::optional<KindSplit> ReadSplit(ByteReader& in) {
  KindSplit split;
  split.within = in.Text();
  split.label = in.Text();
  const auto count = in.Count();
  // The count may be any number: the loop ends with the bytes.
  for (std::uint64_t i = 0; i < count && !in.Failed(); ++i) {
    split.odd.emplace(in.Text());
  }
  return in.Failed() || split.label.empty() || split.odd.empty() ? std::nullopt
                                                                 : std::optional(std::move(split));
}

}  // namespace

void WriteDiskKinds(const std::vector<DiskKindMemory>& all, ByteWriter& out) {
  out.Count(all.size());
  for (const auto& memory : all) {
    out.Text(memory.group);
    out.Count(memory.splits.size());
    for (const auto& split : memory.splits) {
      out.Text(split.within);
      out.Text(split.label);
      out.Count(split.odd.size());
      for (const auto& value : split.odd) {
        out.Text(value);
      }
    }
    out.Count(memory.names.size());
    for (const auto& [key, suffix] : memory.names) {
      out.Text(key);
      out.Text(suffix);
    }
  }
}

std::optional<std::vector<DiskKindMemory>> ReadDiskKinds(ByteReader& in) {
  std::vector<DiskKindMemory> all;
  const auto groups = in.Count();
  for (std::uint64_t i = 0; i < groups && !in.Failed(); ++i) {
    DiskKindMemory memory;
    memory.group = in.Text();
    const auto splits = in.Count();
    for (std::uint64_t one = 0; one < splits && !in.Failed(); ++one) {
      auto split = ReadSplit(in);
      if (!split) {
        return std::nullopt;
      }
      memory.splits.push_back(*std::move(split));
    }
    const auto names = in.Count();
    for (std::uint64_t one = 0; one < names && !in.Failed(); ++one) {
      const std::string key(in.Text());
      memory.names[key] = in.Text();
    }
    all.push_back(std::move(memory));
  }
  return in.Failed() ? std::nullopt : std::optional(std::move(all));
}

}  // namespace limpet
