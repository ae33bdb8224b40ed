#include "exporter/common/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <utility>

namespace limpet {
namespace {

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

constexpr std::size_t kMaxKeys = 4096;

}  // namespace

std::optional<LogLevel> ParseLogLevel(std::string_view text) {
  if (text == "debug") {
    return LogLevel::kDebug;
  }
  if (text == "info") {
    return LogLevel::kInfo;
  }
  if (text == "warning" || text == "warn") {
    return LogLevel::kWarning;
  }
  if (text == "error") {
    return LogLevel::kError;
  }
  return std::nullopt;
}

LogSink StderrLog(LogLevel least) {
  auto logger =
      std::make_shared<spdlog::logger>("limpet", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  // Three decimals and UTC: lines of several machines can be laid side by side.
  logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      "%Y-%m-%dT%H:%M:%S.%eZ %l: %v", spdlog::pattern_time_type::utc));
  logger->set_level(ToSpdlog(least));
  // Unbuffered: the last line before a crash is the one that is wanted.
  logger->flush_on(spdlog::level::debug);
  return [logger](LogLevel level, std::string_view text) {
    logger->log(ToSpdlog(level), spdlog::string_view_t(text.data(), text.size()));
  };
}

void RateLimitedLog::Write(LogLevel level, std::string_view key, std::string_view text) {
  std::string line(text);
  // The sink runs outside the lock: it writes, and may block.
  {
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= kMaxKeys) {
      entries_.clear();  // a flood of new keys must not become a leak
    }
    const auto now = clock_.Steady();
    auto [entry, is_new] = entries_.try_emplace(std::string(key));
    if (!is_new && now < entry->second.next) {
      ++entry->second.held_back;
      return;
    }
    if (entry->second.held_back > 0) {
      line += " (" + std::to_string(entry->second.held_back) + " more like this held back)";
    }
    entry->second = {now + interval_, 0};
  }
  sink_(level, line);
}

}  // namespace limpet
