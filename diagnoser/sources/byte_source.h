// byte_source.h: the bytes of a recorded file, piece by piece.
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "exporter/common/result.h"

namespace limpet {

// Bytes of a file as they are stored; nothing left: an empty text.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  [[nodiscard]] virtual Result<std::string> Read() = 0;
  // The next Read begins from the start again; until then nothing is held. False: it cannot.
  [[nodiscard]] virtual bool Rewind() { return false; }
  // Returns how many bytes of the file have been read; nullopt: as many as Read has given.
  [[nodiscard]] virtual std::optional<std::uint64_t> Position() const { return std::nullopt; }
};
// Holds a descriptor from the first Read to the end only, so that thousands may be waiting.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> OpenFile(const std::string& path);

}  // namespace limpet
