#include "diagnoser/sources/open_recording.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "diagnoser/sources/child_output.h"
#include "diagnoser/sources/converted_file.h"
#include "diagnoser/sources/csv_recording.h"
#include "diagnoser/sources/named_text.h"
#include "diagnoser/sources/sorted_text.h"
#include "diagnoser/sources/sysstat_json.h"
#include "exporter/common/columns/chunk_header.h"
#include "exporter/common/exposition/codec.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

constexpr std::size_t kLookedAt = std::size_t{64} << 10U;  // plain bytes

// SYSSTAT_MAGIC (sa.h), as machines of either byte order write it.
bool IsSysstatFile(std::string_view start) {
  return start.starts_with("\x96\xD5") || start.starts_with("\xD5\x96");
}

bool IsSysstatJson(std::string_view start) {
  constexpr std::size_t kNear = 200;
  return Trim(start).starts_with('{') &&
         start.substr(0, kNear).find("\"sysstat\"") != std::string_view::npos;
}

// sa2 packs what is older than a few days by xz, so these are met; empty: none of them.
std::string_view UnknownCompression(std::string_view bytes) {
  using namespace std::string_view_literals;
  return bytes.starts_with(
             "\xFD"
             "7zXZ\0"sv)
             ? "xz"
         : bytes.starts_with("BZh") ? "bzip2"
                                    : "";
}

struct Start {
  std::string plain;
  bool compressed = false;
};

// What the file begins with; it is read from its start again afterwards.
Result<Start> ReadStart(ByteSource& bytes) {
  auto read = bytes.Read();
  if (!read) {
    return read.error();
  }
  const auto encoding = SniffEncoding(*read);
  Start start{.plain = {}, .compressed = encoding != Encoding::kIdentity};
  if (!start.compressed) {
    start.plain = *std::move(read);
    return start;
  }
  Decoder decoder(encoding);
  decoder.Feed(*read);
  while (start.plain.size() < kLookedAt) {
    const auto piece = decoder.Next();
    if (!piece || piece->empty()) {
      break;  // as far as it is good: what is wrong shows when it is read
    }
    start.plain += *piece;
  }
  return start;
}

// Only the disks, interfaces, processors and what else mapping/builtin.cc reads. Times in UTC and
// points in numbers, whatever the user's language.
std::unique_ptr<ByteSource> RunSadf(const std::string& path) {
  const char* const search = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return RunChild({.arguments = {"sadf", "-j", path.starts_with('-') ? "./" + path : path, "--",
                                 "-d", "-n", "DEV", "-u", "-q", "-w", "-B"},
                   .package = "sysstat",
                   .subject = path,
                   .environment = {"LC_ALL=C", "TZ=UTC",
                                   std::string("PATH=") + (search == nullptr ? "" : search)}});
}

Recording Convert(const std::string& path, std::unique_ptr<ByteSource> bytes, const LogSink& log,
                  MakeConverter make) {
  return {path, ConvertFile(std::move(bytes), InputNotes(path, log), std::move(make))};
}

template <class Made>
MakeConverter Make() {
  return [](InputNotes& notes) { return std::make_unique<Made>(notes); };
}

}  // namespace

InputKind RecogniseInput(std::string_view start) {
  if (columns::IsColumns(start)) {
    return InputKind::kRecording;
  }
  if (IsSysstatFile(start)) {
    return InputKind::kSysstatFile;
  }
  if (IsSysstatJson(start)) {
    return InputKind::kSysstatJson;
  }
  if (IsCsvHeader(start.substr(0, start.find('\n')))) {
    return InputKind::kCsv;
  }
  if (IsOrderedBySeries(start)) {
    return InputKind::kTextBySeries;
  }
  return LacksNode(start) ? InputKind::kTextWithoutNode : InputKind::kRecording;
}

Result<Recording> OpenRecording(const std::string& path, const LogSink& log) {
  auto file = OpenFile(path);
  if (!file) {
    return file.error();
  }
  std::error_code failed;
  // What a pipe gives is gone once it has been looked at.
  if (!std::filesystem::is_regular_file(path, failed)) {
    return Recording(path, *std::move(file));
  }
  const auto start = ReadStart(**file);
  if (!start) {
    return start.error();
  }
  (void)(*file)->Rewind();
  if (const auto packer = UnknownCompression(start->plain); !packer.empty()) {
    return Error{ErrorCode::kInvalid,
                 "expected a plain file, or one compressed by gzip or zstd, got one of " +
                     std::string(packer) + "; unpack it first",
                 path};
  }
  // By the contents: names differ from site to site, and a file may have been copied.
  switch (RecogniseInput(start->plain)) {
    case InputKind::kSysstatFile:
      if (start->compressed) {
        return Error{ErrorCode::kInvalid,
                     "expected sysstat's file as it is, for sadf; unpack it first", path};
      }
      return Convert(path, RunSadf(path), log, Make<SysstatJson>());
    case InputKind::kSysstatJson:
      return Convert(path, *std::move(file), log, Make<SysstatJson>());
    case InputKind::kCsv:
      return Convert(path, *std::move(file), log, Make<CsvRecording>());
    case InputKind::kTextWithoutNode:
      return Convert(path, *std::move(file), log, Make<NamedText>());
    case InputKind::kTextBySeries:
      if (LacksNode(start->plain)) {
        auto sorted = ConvertFile(*std::move(file), InputNotes(path, log), Make<SortedText>());
        return Convert(path, std::move(sorted), log, Make<NamedText>());
      }
      return Convert(path, *std::move(file), log, Make<SortedText>());
    case InputKind::kRecording:
      break;
  }
  return Recording(path, *std::move(file));
}

Result<Recording> OpenRecording(const std::string& path) {
  return OpenRecording(path, [](LogLevel, std::string_view) {});
}

}  // namespace limpet
