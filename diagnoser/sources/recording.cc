#include "diagnoser/sources/recording.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "exporter/common/exposition/codec.h"
#include "exporter/common/exposition/parser.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::size_t kReadBytes = 64U << 10U;
constexpr std::size_t kDecodeBytes = 64U << 10U;  // of plain text, at once
constexpr std::size_t kMaxLine = 4U << 20U;
// Less than this is rather moved to the front of the buffer, which the cache holds.
constexpr std::size_t kLittle = 4U << 10U;

class RealFile final : public ByteSource {
 public:
  explicit RealFile(std::string path) : path_(std::move(path)) {}
  ~RealFile() override { Close(); }
  RealFile(const RealFile&) = delete;
  RealFile& operator=(const RealFile&) = delete;

  Result<void> Open() {
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);  // NOLINT(*-vararg)
    if (descriptor_ < 0) {
      const auto code = errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kPermission;
      return Error{code, std::strerror(errno), path_};
    }
    return {};
  }

  Result<std::string> Read() override {
    std::string bytes;
    if (ended_) {
      return bytes;
    }
    if (descriptor_ < 0) {
      if (auto opened = Open(); !opened) {
        return opened.error();
      }
    }
    bytes.resize(kReadBytes);
    ssize_t got = -1;
    do {
      got = ::read(descriptor_, bytes.data(), bytes.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
      return Error{ErrorCode::kInternal, std::strerror(errno), path_};
    }
    bytes.resize(static_cast<std::size_t>(got));
    if (got == 0) {
      ended_ = true;
      Close();
    }
    return bytes;
  }

  bool Rewind() override {
    Close();
    ended_ = false;
    return true;
  }

 private:
  void Close() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
      descriptor_ = -1;
    }
  }

  int descriptor_ = -1;
  bool ended_ = false;
  std::string path_;
};

std::string_view LineAt(std::string_view text, std::size_t begin) {
  return text.substr(begin, text.find('\n', begin) - begin);
}

// The timestamp of a sample line; nullopt for comments and lines without one.
std::optional<UnixTime> TimeOf(std::string_view line, Format format) {
  if (line.empty() || line.front() == '#') {
    return std::nullopt;
  }
  const auto brace = line.rfind('}');
  Fields fields(brace == std::string_view::npos ? line : line.substr(brace + 1));
  if (brace == std::string_view::npos) {
    fields.Next();  // the name
  }
  fields.Next();  // the value
  const auto stamp = fields.Next();
  if (format == Format::kOpenMetrics) {
    return ParseUnixSeconds(stamp);
  }
  constexpr std::int64_t kMax = 9'000'000'000'000;
  const auto milliseconds = ParseI64(stamp);
  if (!milliseconds || *milliseconds < -kMax || *milliseconds > kMax) {
    return std::nullopt;
  }
  return UnixFromMilliseconds(*milliseconds);
}

// The time of the first sample at or after the line that begins at `begin`, before `end`.
std::optional<UnixTime> TimeFrom(std::string_view text, std::size_t begin, std::size_t end,
                                 Format format) {
  while (begin < end) {
    const auto line = LineAt(text, begin);
    if (const auto time = TimeOf(line, format)) {
      return time;
    }
    begin += line.size() + 1;
  }
  return std::nullopt;
}

// The time of the last sample.
std::optional<UnixTime> LastTime(std::string_view text, Format format) {
  while (!text.empty()) {
    const auto newline = text.rfind('\n', text.size() - 2);
    const auto begin = newline == std::string_view::npos || text.size() < 2 ? 0 : newline + 1;
    if (const auto time = TimeOf(LineAt(text, begin), format)) {
      return time;
    }
    text = text.substr(0, begin);
  }
  return std::nullopt;
}

// Where the lines later than `until` begin, by bisection: lines are in order of time.
std::size_t PlaceAfter(std::string_view text, UnixTime until, Format format) {
  std::size_t low = 0;             // the line that begins here is not later
  std::size_t high = text.size();  // the one that begins here is, or there is none
  while (true) {
    const auto begin =
        low + LineAt(text.substr(0, high), low + (high - low) / 2).size() + 1 + (high - low) / 2;
    if (begin >= high) {
      break;
    }
    const auto time = TimeFrom(text, begin, high, format);
    (time && *time <= until ? low : high) = begin;
  }
  while (low < high) {
    const auto line = LineAt(text, low);
    const auto time = TimeOf(line, format);
    if (time && *time > until) {
      break;
    }
    low += line.size() + 1;
  }
  return std::min(low, text.size());
}

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenFile(const std::string& path) {
  auto file = std::make_unique<RealFile>(path);
  if (auto opened = file->Open(); !opened) {
    return opened.error();
  }
  (void)file->Rewind();
  return std::unique_ptr<ByteSource>(std::move(file));
}

struct Recording::State {
  std::string path;
  std::unique_ptr<ByteSource> bytes;
  std::optional<Decoder> decoder;
  std::string encoded;  // what the decoder was fed
  std::string buffer;   // plain text from `at` to `end` is still to come
  std::size_t at = 0;
  std::size_t end = 0;
  std::optional<Format> format;
  bool fed = false;  // the decoder has something to give
  bool ended = false;
  bool cut = false;
  bool begun = false;  // a piece was handed out

  Result<void> Take();
  void Release();
  [[nodiscard]] std::span<char> Room();
  [[nodiscard]] std::size_t Left() const { return end - at; }
  [[nodiscard]] std::string_view WholeLines() const;
};

// Behind the text, for what is decoded at once.
std::span<char> Recording::State::Room() {
  if (Left() < kLittle || buffer.size() - end < kDecodeBytes) {
    std::copy(buffer.data() + at, buffer.data() + end, buffer.data());
    end -= std::exchange(at, 0);
  }
  if (buffer.size() - end < kDecodeBytes) {
    buffer.resize(std::max(2 * kDecodeBytes, 2 * buffer.size()));
  }
  return std::span(buffer).subspan(end, kDecodeBytes);
}

// One step further: bytes are read, or some of them decoded.
Result<void> Recording::State::Take() {
  if (fed) {
    const auto given = decoder->NextInto(Room());
    if (!given) {
      // A damaged end: what came before is good.
      cut = true;
      ended = true;
      return {};
    }
    fed = *given > 0;
    end += *given;
    if (!format) {
      if (const auto lines = WholeLines(); !lines.empty()) {
        format = SniffFormat(lines);
      }
    }
    return {};
  }
  auto read = bytes->Read();
  if (!read) {
    return read.error();
  }
  encoded = std::move(*read);
  if (encoded.empty()) {
    ended = true;
    cut = cut || (decoder && !decoder->Whole());
    return {};
  }
  if (!decoder) {
    DecodeLimits limits;
    limits.max_output = DecodeLimits::kNone;
    limits.max_ratio = DecodeLimits::kNone;
    decoder.emplace(SniffEncoding(encoded), limits);
  }
  decoder->Feed(encoded);
  fed = true;
  return {};
}

void Recording::State::Release() {
  decoder.reset();
  encoded = {};
  buffer = {};
  at = 0;
  end = 0;
  fed = false;
}

std::string_view Recording::State::WholeLines() const {
  const auto rest = std::string_view(buffer).substr(at, Left());
  const auto newline = rest.rfind('\n');
  return newline == std::string_view::npos ? std::string_view() : rest.substr(0, newline + 1);
}

Recording::Recording(std::string path, std::unique_ptr<ByteSource> bytes)
    : state_(std::make_unique<State>()) {
  state_->path = std::move(path);
  state_->bytes = std::move(bytes);
}
Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

const std::string& Recording::Path() const { return state_->path; }

bool Recording::Cut() const { return state_->cut; }

Result<std::optional<UnixTime>> Recording::Peek() {
  auto& my = *state_;
  while (true) {
    const auto lines = my.WholeLines();
    if (const auto time = my.format ? TimeFrom(lines, 0, lines.size(), *my.format) : std::nullopt) {
      return std::optional(*time);
    }
    my.at += lines.size();
    if (my.ended) {
      my.cut = my.cut || my.Left() > 0;
      my.Release();
      return std::optional<UnixTime>();
    }
    if (my.Left() >= kMaxLine) {
      return Error{ErrorCode::kTooLarge, "expected lines, found 4 MiB without a newline", my.path};
    }
    if (auto taken = my.Take(); !taken) {
      return taken.error();
    }
  }
}

Result<std::optional<Recording::Piece>> Recording::Next(UnixTime until) {
  const auto first = Peek();
  if (!first) {
    return first.error();
  }
  if (!*first) {
    return std::optional<Piece>();
  }
  if (**first > until) {
    return std::optional<Piece>();
  }
  auto& my = *state_;
  auto lines = my.WholeLines();
  if (const auto last = LastTime(lines, *my.format); last && *last > until) {
    lines = lines.substr(0, PlaceAfter(lines, until, *my.format));
  }
  my.at += lines.size();
  my.begun = true;
  return std::optional(Piece{.text = lines, .format = *my.format});
}

void Recording::Rest() {
  auto& my = *state_;
  if (!my.begun && !my.ended && my.bytes->Rewind()) {
    my.Release();
    my.format.reset();
    my.cut = false;
  }
}

}  // namespace limpet
