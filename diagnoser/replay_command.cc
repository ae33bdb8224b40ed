#include "diagnoser/replay_command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include "diagnoser/config.h"
#include "diagnoser/publish/event_text.h"
#include "diagnoser/publish/events.h"
#include "diagnoser/replay.h"
#include "exporter/common/log.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

int Fail(std::string_view text, int code) {
  fmt::print(stderr, "{}\n", text);
  return code;
}

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdout) {
      std::fclose(file);
    }
  }
};
using FilePtr = std::unique_ptr<std::FILE, CloseFile>;

// One line that is written over and over, on a terminal only and not before a second has passed.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted) : wanted_(wanted) {}

  void Show(UnixTime at, const ReplayReport& report) {
    const auto now = clock_.Steady();
    if (!wanted_ || now < next_) {
      return;
    }
    next_ = now + 200ms;
    const auto seconds = std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
    fmt::print(stderr, "\r\033[K{} replaying {:%F %T}, {:.1f} M samples, {:.1f} M/s",
               "|/-\\"[turn_++ % 4], fmt::gmtime(static_cast<std::time_t>(seconds)),
               static_cast<double>(report.samples) / 1e6,
               static_cast<double>(report.samples) / 1e6 / ToSeconds(now - began_));
    shown_ = true;
  }
  void Clear() {
    if (shown_) {
      fmt::print(stderr, "\r\033[K");
    }
  }

 private:
  bool wanted_;
  bool shown_ = false;
  unsigned turn_ = 0;
  RealClock clock_;
  SteadyTime began_ = clock_.Steady();
  SteadyTime next_ = began_ + 1s;
};

}  // namespace

int RunReplay(const ReplayOptions& options) {
  if (options.inputs.empty()) {
    return Fail("replay: expected recordings to read; see limpet-diagnoser replay --help", 2);
  }
  if (options.format != "jsonl" && options.format != "text") {
    return Fail("replay: --format: expected jsonl or text, got \"" + options.format + "\"", 2);
  }
  auto config = LoadDiagnoserConfig(options.config_file, options.thresholds_file);
  if (!config) {
    return Fail(config.error().Text(), 2);
  }
  const FilePtr output(options.output == "-" ? stdout : std::fopen(options.output.c_str(), "we"));
  if (!output) {
    return Fail(options.output + ": cannot be written", 1);
  }
  const bool json = options.format == "jsonl";
  bool written = true;
  const auto sink = [&](const Event& event) {
    const auto text = json ? ToJsonLine(event) : EventText(event);
    written = written && std::fwrite(text.data(), 1, text.size(), output.get()) == text.size();
  };
  ProgressLine progress(::isatty(STDERR_FILENO) == 1);
  const auto log = StderrLog(config->log_level);
  const auto report =
      Replay(std::move(config->pipeline), options.inputs, sink, log,
             [&](UnixTime at, const ReplayReport& so_far) { progress.Show(at, so_far); });
  progress.Clear();
  if (!report) {
    return Fail(report.error().Text(), 1);
  }
  if (!written || std::fflush(output.get()) != 0) {
    return Fail(options.output + ": not all events could be written", 1);
  }
  for (const auto& path : report->cut) {
    log(LogLevel::kWarning, path + ": ends in the middle; read to its last whole line");
  }
  if (report->bad_lines > 0) {
    log(LogLevel::kWarning,
        fmt::format("{} lines that are no samples were left out", report->bad_lines));
  }
  return 0;
}

}  // namespace limpet
