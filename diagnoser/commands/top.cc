#include "diagnoser/commands/top.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <future>
#include <string_view>
#include <utility>

#include "diagnoser/commands/progress_line.h"
#include "diagnoser/config/config.h"
#include "diagnoser/publish/event_text.h"
#include "diagnoser/publish/top.h"
#include "diagnoser/runtime/replay.h"
#include "diagnoser/sources/address.h"
#include "diagnoser/sources/fetcher.h"
#include "exporter/common/files.h"
#include "exporter/common/log.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPatience = 10s;
constexpr std::uint16_t kPort = 9837;

int Fail(std::string_view text, int code) {
  fmt::print(stderr, "{}\n", text);
  return code;
}

int Print(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0
             ? 0
             : Fail("top: standard output cannot be written", 1);
}

Result<Endpoint> EndpointOf(const TopOptions& options, std::size_t limit) {
  auto endpoint = ParseUrl(options.url, kPort);
  if (!endpoint) {
    return endpoint;
  }
  endpoint->path +=
      fmt::format("{}api/v1/persistent?metric={}&limit={}",
                  endpoint->path.ends_with('/') ? "" : "/", UrlEncoded(options.metric), limit);
  endpoint->accept = "application/json";
  endpoint->tls.ca_file = options.ca_file;
  if (!options.username.empty()) {
    const auto path = std::filesystem::absolute(options.password_file).relative_path().string();
    const auto files = OpenRealFiles("");
    const auto password = files->ReadOnce(path);
    if (!password) {
      return Error{ErrorCode::kInvalid, "cannot read the password: " + password.error().Text(),
                   "--password-file"};
    }
    endpoint->basic_auth = {.username = options.username, .password = std::string(Trim(*password))};
  }
  return endpoint;
}

FetchResult Fetch(const Endpoint& endpoint) {
  const RealClock clock;
  const auto fetcher = StartFetcher(clock);
  std::promise<FetchResult> promise;
  auto answer = promise.get_future();
  std::unique_ptr<Connection> connection;
  fetcher->Post([&] {
    connection = fetcher->Open(endpoint);
    connection->Get(kPatience, [&](FetchResult result) { promise.set_value(std::move(result)); });
  });
  auto result = answer.get();
  fetcher->Stop();
  connection.reset();
  return result;
}

int Ask(const TopOptions& options, std::size_t limit) {
  const auto endpoint = EndpointOf(options, limit);
  if (!endpoint) {
    return Fail(endpoint.error().Text(), 2);
  }
  const auto result = Fetch(*endpoint);
  if (result.failure) {
    return Fail(fmt::format("{}: {}; is limpet-diagnoser running there? --url says where",
                            UrlOf(*endpoint), result.error),
                1);
  }
  const auto list = ParseTopJson(result.body);
  if (!list) {
    return Fail(UrlOf(*endpoint) + ": " + list.error().Text(), 1);
  }
  return Print(TopTable(*list, options.metric));
}

int Read(const TopOptions& options, std::size_t limit) {
  auto config = LoadDiagnoserConfig(options.config_file, options.thresholds_file);
  if (!config) {
    return Fail(config.error().Text(), 2);
  }
  for (auto& preset : config->pipeline.presets) {
    preset.hourly_metric = options.metric;
  }
  const auto log = StderrLog(config->log_level);
  for (const auto& note : config->notes) {
    log(LogLevel::kWarning, note);
  }
  std::string hours;
  ProgressLine progress("replaying");
  const auto report = Replay(
      std::move(config->pipeline), options.inputs,
      [&](const Event& event) {
        if (const auto* summary = std::get_if<SummaryEvent>(&event)) {
          hours += fmt::format("preset {}\nDate.Hour: Value PG:LUN-server\n", summary->preset);
          for (const auto& row : summary->hourly) {
            hours += row + "\n";
          }
          hours += "\n";
        }
      },
      log, [&](UnixTime at, const ReplayReport& so_far) { progress.Show(at, so_far); });
  progress.Clear();
  if (!report) {
    return Fail(report.error().Text(), 1);
  }
  SayHowFilesWere(*report, log);
  return Print(hours + TopTable(TopOf(report->view, options.metric, limit), options.metric));
}

}  // namespace

int RunTop(const TopOptions& options) {
  const auto limit = ParseU64(options.limit);
  if (!limit || *limit == 0 || *limit > kMaxTopEntries) {
    return Fail(fmt::format("top: --limit: expected a number from 1 to {}, got \"{}\"",
                            kMaxTopEntries, options.limit),
                2);
  }
  if (!IsTopMetric(options.metric)) {
    return Fail(
        "top: --metric: expected a metric such as await, read_bytes, write_bytes, receive_bytes or "
        "cwnd_client, got \"" +
            options.metric + "\"",
        2);
  }
  if (options.username.empty() != options.password_file.empty()) {
    return Fail("top: expected --username and --password-file together", 2);
  }
  return options.inputs.empty() ? Ask(options, *limit) : Read(options, *limit);
}

}  // namespace limpet
