#include "exporter/common/exposition/codec.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

namespace limpet {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;
// A small page of equal lines may honestly be compressed a thousandfold.
constexpr std::size_t kRatioFrom = 1 << 20;
constexpr int kGzipWindow = 15 + 16;  // 32 KiB and a gzip header (zlib.h, deflateInit2)

struct Step {
  std::size_t taken = 0;  // bytes of input
  std::size_t given = 0;  // bytes of output
  const char* damage = nullptr;
};

}  // namespace

class Decoder::Machine {
 public:
  virtual ~Machine() = default;
  // Decodes from `input` to `out` until one of them is used up.
  virtual Step Run(std::string_view input, char* out, std::size_t room) = 0;
  [[nodiscard]] virtual bool Whole() const = 0;
};

namespace {

class Copier final : public Decoder::Machine {
 public:
  Step Run(std::string_view input, char* out, std::size_t room) override {
    const auto count = input.copy(out, room);
    return {count, count};
  }
  [[nodiscard]] bool Whole() const override { return true; }
};

class Gunzip final : public Decoder::Machine {
 public:
  Gunzip() {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Gunzip() override { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  Step Run(std::string_view input, char* out, std::size_t room) override {
    if (whole_ && !input.empty()) {
      inflateReset(&stream_);  // another member
      whole_ = false;
    }
    // zlib's types: it does not write to its input.
    const auto size = std::min(input.size(), kPiece);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(size);
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(room);
    const int status = whole_ ? Z_BUF_ERROR : inflate(&stream_, Z_NO_FLUSH);
    Step step{size - stream_.avail_in, room - stream_.avail_out};
    if (status == Z_STREAM_END) {
      whole_ = true;
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      step.damage = stream_.msg != nullptr ? stream_.msg : "damaged";
    }
    return step;
  }
  [[nodiscard]] bool Whole() const override { return whole_; }

 private:
  z_stream stream_{};
  bool whole_ = false;
};

class Unzstd final : public Decoder::Machine {
 public:
  Unzstd() : stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (!stream_) {
      throw std::bad_alloc();
    }
  }

  Step Run(std::string_view input, char* out, std::size_t room) override {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer produced{out, room, 0};
    if (input.empty() && (whole_ || !holds_more_)) {
      return {};  // nothing to come; it would begin a frame that nobody sent
    }
    const auto status = ZSTD_decompressStream(stream_.get(), &produced, &in);
    Step step{in.pos, produced.pos};
    if (ZSTD_isError(status) != 0) {
      step.damage = ZSTD_getErrorName(status);
    } else {
      whole_ = status == 0;
      holds_more_ = produced.pos == room;
    }
    return step;
  }
  [[nodiscard]] bool Whole() const override { return whole_; }

 private:
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  bool whole_ = false;
  bool holds_more_ = false;
};

std::unique_ptr<Decoder::Machine> MakeMachine(Encoding encoding) {
  switch (encoding) {
    case Encoding::kGzip:
      return std::make_unique<Gunzip>();
    case Encoding::kZstd:
      return std::make_unique<Unzstd>();
    case Encoding::kIdentity:
      break;
  }
  return std::make_unique<Copier>();
}

}  // namespace

Encoding SniffEncoding(std::string_view start) {
  // The magic numbers of RFC 1952 and RFC 8878; no text begins with either.
  if (start.starts_with("\x1f\x8b")) {
    return Encoding::kGzip;
  }
  return start.starts_with("\x28\xb5\x2f\xfd") ? Encoding::kZstd : Encoding::kIdentity;
}

std::string GzipEncode(std::string_view plain, int level) {
  z_stream stream{};
  constexpr int kMemory = 8;  // zlib's default
  if (deflateInit2(&stream, std::clamp(level, 1, 9), Z_DEFLATED, kGzipWindow, kMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
  const std::unique_ptr<z_stream, decltype(&deflateEnd)> end(&stream, &deflateEnd);
  // Room for the worst case at once, so that deflate never has to be asked again for want of it.
  std::string encoded(deflateBound(&stream, plain.size()), '\0');
  std::size_t used = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    const auto size = std::min<std::size_t>(plain.size(), std::numeric_limits<uInt>::max());
    const auto room =
        std::min<std::size_t>(encoded.size() - used, std::numeric_limits<uInt>::max());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
    stream.avail_in = static_cast<uInt>(size);
    stream.next_out = reinterpret_cast<Bytef*>(encoded.data() + used);
    stream.avail_out = static_cast<uInt>(room);
    status = deflate(&stream, size == plain.size() ? Z_FINISH : Z_NO_FLUSH);
    plain.remove_prefix(size - stream.avail_in);
    used += room - stream.avail_out;
  }
  encoded.resize(used);
  return encoded;
}

Decoder::Decoder(Encoding encoding, const DecodeLimits& limits)
    : machine_(MakeMachine(encoding)), limits_(limits) {}
Decoder::~Decoder() = default;
Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;

void Decoder::Feed(std::string_view encoded) { input_ = encoded; }

bool Decoder::Whole() const { return !failed_ && input_.empty() && machine_->Whole(); }

Result<std::string_view> Decoder::Next() {
  output_.resize(kPiece);
  const auto given = NextInto(output_);
  if (!given) {
    return given.error();
  }
  return std::string_view(output_).substr(0, *given);
}

Result<std::size_t> Decoder::NextInto(std::span<char> room) {
  const auto fail = [&](ErrorCode code, std::string message) {
    failed_ = true;
    return Error{code, std::move(message)};
  };
  const auto at = [&] { return " at byte " + std::to_string(total_in_); };
  if (failed_) {
    return fail(ErrorCode::kInvalid, "nothing can be read after an error" + at());
  }
  Step step;
  // A header or a checksum takes input and gives nothing: go on until something comes out.
  while (damage_.empty()) {
    step = machine_->Run(input_, room.data(), room.size());
    input_.remove_prefix(step.taken);
    total_in_ += step.taken;
    total_out_ += step.given;
    damage_ = step.damage == nullptr ? "" : step.damage;
    if (step.given != 0 || step.taken == 0) {
      break;
    }
  }
  if (total_out_ > limits_.max_output) {
    return fail(ErrorCode::kTooLarge, "expected at most " + std::to_string(limits_.max_output) +
                                          " bytes when decompressed");
  }
  if (total_out_ > kRatioFrom &&
      total_out_ / std::max<std::size_t>(limits_.max_ratio, 1) > total_in_) {
    return fail(ErrorCode::kTooLarge, "expected at most " + std::to_string(limits_.max_ratio) +
                                          " plain bytes a compressed one: a bomb?");
  }
  if (step.given != 0) {
    return step.given;  // damage waits for the next call
  }
  if (!damage_.empty()) {
    return fail(ErrorCode::kInvalid, "the compressed data is damaged" + at() + ": " + damage_);
  }
  if (!input_.empty()) {
    return fail(ErrorCode::kInvalid, "the compressed data makes no sense" + at());
  }
  return std::size_t{0};
}

Result<Decoded> Decode(Encoding encoding, std::string_view encoded, const DecodeLimits& limits) {
  Decoder decoder(encoding, limits);
  decoder.Feed(encoded);
  Decoded decoded;
  while (true) {
    const auto piece = decoder.Next();
    if (!piece) {
      return piece.error();
    }
    if (piece->empty()) {
      decoded.cut = !decoder.Whole();
      return decoded;
    }
    decoded.text += *piece;
  }
}

struct ZstdWriter::State {
  std::unique_ptr<ZSTD_CStream, decltype(&ZSTD_freeCStream)> stream{ZSTD_createCStream(),
                                                                    &ZSTD_freeCStream};
  bool in_frame = false;

  std::string Run(std::string_view plain, ZSTD_EndDirective directive) {
    std::string encoded;
    ZSTD_inBuffer in{plain.data(), plain.size(), 0};
    std::size_t left = 0;
    do {
      const auto used = encoded.size();
      encoded.resize(used + ZSTD_CStreamOutSize());
      ZSTD_outBuffer out{encoded.data() + used, encoded.size() - used, 0};
      left = ZSTD_compressStream2(stream.get(), &out, &in, directive);
      if (ZSTD_isError(left) != 0) {
        throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(left));
      }
      encoded.resize(used + out.pos);
    } while (in.pos != in.size || (directive == ZSTD_e_end && left != 0));
    return encoded;
  }
};

namespace {

// Metrics pages are unlike what zstd's levels are tuned for: each line resembles one of a second
// before, some 30 kB back. Measured in docs/decisions/0187-recordings-in-columns.md.
void SuitToPages(ZSTD_CCtx& stream, int level) {
  // Small tables find those lines as well; the levels' own take up to 80 MB.
  constexpr int kTables = 16;
  ZSTD_CCtx_setParameter(&stream, ZSTD_c_hashLog, kTables);
  ZSTD_CCtx_setParameter(&stream, ZSTD_c_chainLog, kTables);
  constexpr int kOptimal = 16;  // the levels from here on look for the best way to parse
  if (level >= kOptimal) {
    // The size of level 19 in a third of its time: matches are long or not worth having.
    constexpr int kMinMatch = 5;
    constexpr int kLongEnough = 256;
    ZSTD_CCtx_setParameter(&stream, ZSTD_c_strategy, ZSTD_btopt);
    ZSTD_CCtx_setParameter(&stream, ZSTD_c_minMatch, kMinMatch);
    ZSTD_CCtx_setParameter(&stream, ZSTD_c_targetLength, kLongEnough);
  }
}

}  // namespace

ZstdWriter::ZstdWriter(int level, std::size_t frame_size) : state_(std::make_unique<State>()) {
  auto* const stream = state_->stream.get();
  if (stream == nullptr) {
    throw std::bad_alloc();
  }
  constexpr std::size_t kMaxHint = std::size_t{1} << 30;
  ZSTD_CCtx_setParameter(stream, ZSTD_c_compressionLevel, std::clamp(level, 1, 19));
  // Recordings lie on disks for months: a flipped bit must be an error, not another number.
  ZSTD_CCtx_setParameter(stream, ZSTD_c_checksumFlag, 1);
  // Not the experimental size hint: a window that holds a frame bounds the tables just as well.
  int window = 17;
  while (window < 23 && (std::size_t{1} << window) < std::min(frame_size, kMaxHint)) {
    ++window;
  }
  ZSTD_CCtx_setParameter(stream, ZSTD_c_windowLog, window);
  SuitToPages(*stream, level);
}
ZstdWriter::~ZstdWriter() = default;
ZstdWriter::ZstdWriter(ZstdWriter&&) noexcept = default;
ZstdWriter& ZstdWriter::operator=(ZstdWriter&&) noexcept = default;

std::string ZstdWriter::Write(std::string_view plain) {
  if (plain.empty()) {
    return {};
  }
  state_->in_frame = true;
  return state_->Run(plain, ZSTD_e_continue);
}

std::string ZstdWriter::EndFrame() {
  // Ending what was not begun would write an empty frame.
  if (!std::exchange(state_->in_frame, false)) {
    return {};
  }
  return state_->Run({}, ZSTD_e_end);
}

}  // namespace limpet
