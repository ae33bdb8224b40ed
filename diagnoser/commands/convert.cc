#include "diagnoser/commands/convert.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "diagnoser/commands/messages.h"
#include "diagnoser/sources/open_recording.h"
#include "diagnoser/sources/recording_set.h"
#include "exporter/common/columns/text_chunks.h"
#include "exporter/common/exposition/codec.h"
#include "exporter/common/log.h"

namespace limpet {
namespace {

namespace fs = std::filesystem;

constexpr int kLevel = 19;
// Of text: about a minute of a large server. What is damaged later costs no more.
constexpr std::size_t kFrameOfText = std::size_t{2} << 20U;

// Lines as the bytes of a recording.
class Converter {
 public:
  virtual ~Converter() = default;
  [[nodiscard]] virtual std::string Convert(std::string_view lines, Format format) = 0;
  [[nodiscard]] virtual std::string Finish() = 0;
  // Lines left out.
  [[nodiscard]] virtual std::uint64_t Bad() const = 0;
};

class ToColumns final : public Converter {
 public:
  std::string Convert(std::string_view lines, Format format) override {
    return Compress(chunks_.Convert(lines, format));
  }
  std::string Finish() override { return Compress(chunks_.Finish()); }
  std::uint64_t Bad() const override { return chunks_.Total().bad; }

 private:
  std::string Compress(const std::string& chunks) {
    auto bytes = zstd_.Write(chunks);
    return bytes += zstd_.EndFrame();
  }

  columns::TextChunks chunks_;
  ZstdWriter zstd_{kLevel};
};

class ToText final : public Converter {
 public:
  std::string Convert(std::string_view lines, Format /*format*/) override {
    auto bytes = zstd_.Write(lines);
    frame_ += lines.size();
    if (frame_ >= kFrameOfText) {
      bytes += Finish();
    }
    return bytes;
  }
  std::string Finish() override {
    frame_ = 0;
    return zstd_.EndFrame();
  }
  std::uint64_t Bad() const override { return 0; }

 private:
  ZstdWriter zstd_{kLevel};
  std::size_t frame_ = 0;  // bytes of text so far
};

// Below the output folder as it is below the input: the nodes' recordings have the same names.
Result<std::string> OutputFolder(const std::string& output_dir, const std::string& input,
                                 const std::string& path) {
  std::error_code failed;
  if (!fs::is_directory(input, failed)) {
    return output_dir;
  }
  const auto folder = fs::path(output_dir) / fs::path(path).parent_path().lexically_relative(input);
  fs::create_directories(folder, failed);
  return failed
             ? Result<std::string>(Error{ErrorCode::kPermission, failed.message(), folder.string()})
             : folder.lexically_normal().string();
}

std::string OutputPath(const std::string& dir, const std::string& input, bool to_columns) {
  // The name says when the recording begins, and the recorder's limits go by it.
  auto name = fs::path(input).filename().string();
  for (const std::string_view ending : {".columns.zst", ".om.zst", ".om.gz", ".om"}) {
    if (name.ends_with(ending)) {
      name.resize(name.size() - ending.size());
      break;
    }
  }
  return dir + "/" + name + (to_columns ? ".columns.zst" : ".om.zst");
}

Result<void> WriteAll(Recording& recording, Converter& converter, std::FILE* output,
                      const std::string& path) {
  const auto write = [&](const std::string& bytes) {
    return std::fwrite(bytes.data(), 1, bytes.size(), output) == bytes.size();
  };
  const Error failed{ErrorCode::kUnavailable, "not everything could be written", path};
  while (true) {
    const auto piece = recording.Next(UnixTime::max());
    if (!piece) {
      return piece.error();
    }
    if (!*piece) {
      return write(converter.Finish()) && std::fflush(output) == 0 ? Result<void>() : failed;
    }
    if (!write(converter.Convert((*piece)->text, (*piece)->format))) {
      return failed;
    }
  }
}

Result<void> ConvertOne(const std::string& input, const std::string& output_dir,
                        const ConvertOptions& options, const LogSink& log) {
  auto recording = OpenRecording(input, log);
  if (!recording) {
    return recording.error();
  }
  const bool to_columns = options.format == "columns";
  const auto path = OutputPath(output_dir, input, to_columns);
  // Nothing is written over: it may be the only copy of a day.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(std::fopen(path.c_str(), "wxe"),
                                                               &std::fclose);
  if (!output) {
    return Error{ErrorCode::kUnavailable,
                 std::generic_category().message(errno) +
                     "; --output-dir names a folder that exists and has no such file",
                 path};
  }
  std::unique_ptr<Converter> converter;
  if (to_columns) {
    converter = std::make_unique<ToColumns>();
  } else {
    converter = std::make_unique<ToText>();
  }
  if (auto done = WriteAll(*recording, *converter, output.get(), path); !done) {
    std::remove(path.c_str());  // half a day under a whole day's name would be taken for it
    return done;
  }
  const auto written = std::ftell(output.get());
  if (written == 0) {
    std::remove(path.c_str());
    return Error{ErrorCode::kInvalid, "expected a recording, found no sample with a time", input};
  }
  if (recording->Cut()) {
    log(LogLevel::kWarning, input + ": ends in the middle; converted up to its last complete line");
  }
  if (converter->Bad() > 0) {
    log(LogLevel::kWarning, fmt::format("{}: left out {} lines that are not samples with a time",
                                        input, converter->Bad()));
  }
  log(LogLevel::kInfo, fmt::format("{}: {} bytes, as {} {}", input, recording->BytesRead(),
                                   options.format, written));
  return {};
}

Result<void> ConvertAll(const std::string& input, const ConvertOptions& options,
                        const LogSink& log) {
  const auto paths = FindRecordings({input});
  if (!paths) {
    return paths.error();
  }
  for (const auto& path : *paths) {
    const auto folder = OutputFolder(options.output_dir, input, path);
    if (!folder) {
      return folder.error();
    }
    if (auto done = ConvertOne(path, *folder, options, log); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace

void ConvertOptions::Bind(Flags& flags) {
  flags.Add(output_dir, "--output-dir", "DIR", "folder for the converted recordings");
  flags.AddChoice(format, "--format", {"columns", "text"},
                  "columns take a fifth of the space, text can be read by any tool");
  flags.AddInputs(inputs, "INPUT", "recordings, or folders of them");
}

int RunConvert(const ConvertOptions& options) {
  const auto log = StderrLog(LogLevel::kInfo);
  if (options.inputs.empty()) {
    return Fail("convert: expected recordings or folders with recordings", kExitUsage);
  }
  if (options.output_dir.empty()) {
    return Fail("--output-dir: expected a folder for the converted recordings", kExitUsage);
  }
  for (const auto& input : options.inputs) {
    if (const auto done = ConvertAll(input, options, log); !done) {
      return Fail(done.error().Text(), kExitFailed);
    }
  }
  return kExitOk;
}

}  // namespace limpet
