#include "exporter/common/log.h"

#include <poll.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <memory>
#include <utility>

#include "exporter/common/utf8.h"

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

// Writes a line where there is room for one of PIPE_BUF bytes, and never waits for it.
class UnwaitingSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit UnwaitingSink(int descriptor) : descriptor_(descriptor) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (!HasRoom()) {
      ++lost_;
      return;
    }
    if (lost_ > 0) {
      auto notice = message;
      const auto text = std::to_string(lost_) + " lines were lost: nobody read this log";
      notice.payload = text;
      notice.level = spdlog::level::warn;
      lost_ = 0;
      Print(notice);
      if (!HasRoom()) {
        ++lost_;
        return;
      }
    }
    Print(message);
  }
  void flush_() override {}

  [[nodiscard]] bool HasRoom() const {
    pollfd place{.fd = descriptor_, .events = POLLOUT, .revents = 0};
    // What cannot be asked (a closed one) does not make a write wait either.
    return ::poll(&place, 1, 0) != 0;
  }

  void Print(const spdlog::details::log_msg& message) {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    if (line.size() > PIPE_BUF) {
      constexpr std::string_view kEnd = "...\n";
      line.resize(PIPE_BUF - kEnd.size());
      line.append(kEnd.data(), kEnd.data() + kEnd.size());
    }
    // A log that cannot be written has nowhere to say so.
    (void)!::write(descriptor_, line.data(), line.size());
  }

  int descriptor_;
  std::uint64_t lost_ = 0;
};

LogSink MakeLog(spdlog::sink_ptr sink, LogLevel least) {
  auto logger = std::make_shared<spdlog::logger>("limpet", std::move(sink));
  // Three decimals and UTC: lines of several machines can be laid side by side.
  logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      "%Y-%m-%dT%H:%M:%S.%eZ %l: %v", spdlog::pattern_time_type::utc));
  logger->set_level(ToSpdlog(least));
  // Unbuffered: the last line before a crash is the one that is wanted.
  logger->flush_on(spdlog::level::debug);
  return [logger](LogLevel level, std::string_view text) {
    // Names, addresses and answers of others are in it.
    if (logger->should_log(ToSpdlog(level))) {
      logger->log(ToSpdlog(level), PrintableLines(text));
    }
  };
}

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
  return MakeLog(std::make_shared<spdlog::sinks::stderr_sink_mt>(), least);
}

LogSink ServiceLog(LogLevel least, int descriptor) {
  return MakeLog(std::make_shared<UnwaitingSink>(descriptor), least);
}

void RateLimitedLog::MakeRoom(SteadyTime now) {
  if (now < room_at_) {
    return;
  }
  std::erase_if(entries_, [&](const auto& one) {
    const bool over = one.second.next <= now;
    others_held_back_ += over ? one.second.held_back : 0;
    return over;
  });
  // Looked for again when there can be some, not with each message of a flood.
  const auto first =
      std::min_element(entries_.begin(), entries_.end(),
                       [](const auto& a, const auto& b) { return a.second.next < b.second.next; });
  room_at_ = entries_.size() < kMaxKeys ? now : first->second.next;
}

void RateLimitedLog::Write(LogLevel level, std::string_view key, std::string_view text) {
  std::string line(text);
  // The sink runs outside the lock: it writes, and may block.
  {
    const std::lock_guard lock(mutex_);
    const auto now = clock_.Steady();
    auto entry = entries_.find(key);
    if (entry == entries_.end()) {
      if (entries_.size() >= kMaxKeys) {
        MakeRoom(now);
      }
      if (entries_.size() >= kMaxKeys) {
        ++others_held_back_;
        return;
      }
      entry = entries_.emplace(std::string(key), Entry()).first;
    } else if (now < entry->second.next) {
      ++entry->second.held_back;
      return;
    }
    if (entry->second.held_back > 0) {
      line += " (" + std::to_string(entry->second.held_back) + " more like this held back)";
    }
    if (others_held_back_ > 0) {
      line += " (" + std::to_string(std::exchange(others_held_back_, 0)) +
              " about others held back: too many at once)";
    }
    entry->second = {now + interval_, 0};
  }
  sink_(level, line);
}

}  // namespace limpet
