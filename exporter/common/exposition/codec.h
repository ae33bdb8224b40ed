// codec.h: gzip and zstd, bytes in, bytes out.
//
// What comes from others is decoded piece by piece with bounds, so that a bomb costs no memory;
// what was cut off (a recorder that was killed, a connection that broke) gives all that was whole.
// Out of memory is std::bad_alloc.
// Threads: one object, one thread; the functions are pure.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "exporter/common/result.h"

namespace limpet {

enum class Encoding { kIdentity, kGzip, kZstd };

// Tells it from the first four bytes of a file.
[[nodiscard]] Encoding SniffEncoding(std::string_view start);

// Level 1 makes a page a tenth larger than level 6 in a third of its time (exposition_bench).
inline constexpr int kCheapGzip = 1;
[[nodiscard]] std::string GzipEncode(std::string_view plain, int level = kCheapGzip);

struct DecodeLimits {
  static constexpr auto kNone = std::numeric_limits<std::size_t>::max();
  std::size_t max_output = std::size_t{64} << 20;  // bytes
  // Plain bytes for each encoded byte, looked at once there is a MiB of them. Pages reach about 60,
  // a bomb 1,000 (gzip) or more (zstd). Recordings of an idle machine may need kNone.
  std::size_t max_ratio = 200;
};

// Takes encoded bytes as they come and hands out plain ones. Several gzip members or zstd frames
// in a row count as one text.
//
//   decoder.Feed(bytes);
//   for (auto piece = decoder.Next(); …; piece = decoder.Next()) {
//     if (!piece) …            what was handed out before is good, there will be nothing more
//     if (piece->empty()) …    feed more, or the end: was it Whole()?
//   }
class Decoder {
 public:
  explicit Decoder(Encoding encoding, const DecodeLimits& limits = {});
  ~Decoder();
  Decoder(Decoder&&) noexcept;
  Decoder& operator=(Decoder&&) noexcept;

  // `encoded` must live until Next has returned an empty piece.
  void Feed(std::string_view encoded);
  // The next plain bytes, at most 64 KiB; the view is good until the next call. Empty when all that
  // was fed is used up.
  [[nodiscard]] Result<std::string_view> Next();
  // The same into memory of the caller's, which must not be empty: how many bytes there are now.
  [[nodiscard]] Result<std::size_t> NextInto(std::span<char> room);
  // Everything so far ended where a member or frame ends; false says that the input was cut.
  [[nodiscard]] bool Whole() const;

  class Machine;  // zlib's or zstd's, in codec.cc

 private:
  std::unique_ptr<Machine> machine_;
  DecodeLimits limits_;
  std::string_view input_;
  std::string output_;
  std::size_t total_in_ = 0;
  std::size_t total_out_ = 0;
  std::string damage_;  // told after the last good bytes
  bool failed_ = false;
};

struct Decoded {
  std::string text;
  bool cut = false;  // the end is missing
};

// All at once. An error when the input is damaged or over the limits.
[[nodiscard]] Result<Decoded> Decode(Encoding encoding, std::string_view encoded,
                                     const DecodeLimits& limits = {});

// Writes zstd frames with checksums. A reader gets back everything up to the last ended frame
// whatever happens to the rest.
class ZstdWriter {
 public:
  // `level` 1 to 19. `frame_size` is about how many plain bytes there will be in a frame: memory is
  // sized by it.
  explicit ZstdWriter(int level, std::size_t frame_size = std::size_t{1} << 18);
  ~ZstdWriter();
  ZstdWriter(ZstdWriter&&) noexcept;
  ZstdWriter& operator=(ZstdWriter&&) noexcept;

  // Both return the bytes to append to the file, maybe none.
  [[nodiscard]] std::string Write(std::string_view plain);
  // Ends the frame; the next Write begins another. Nothing when there is no frame.
  [[nodiscard]] std::string EndFrame();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace limpet
