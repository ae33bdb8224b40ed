#include "diagnoser/commands/top.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <future>
#include <string_view>
#include <utility>

#include "diagnoser/commands/messages.h"
#include "diagnoser/commands/recordings.h"
#include "diagnoser/config/config.h"
#include "diagnoser/publish/top.h"
#include "diagnoser/sources/address.h"
#include "diagnoser/sources/fetcher.h"
#include "exporter/common/regular_file.h"
#include "exporter/common/text.h"

namespace limpet {
namespace {

using namespace std::chrono_literals;

// It answers within milliseconds; a host that hangs should not hold up a terminal for long.
constexpr Duration kPatience = 10s;
constexpr std::uint16_t kPort = 9837;
constexpr const char* kDefaultUrl = "http://localhost:9837";

int Print(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0
             ? kExitOk
             : Fail("top: standard output cannot be written", kExitFailed);
}

Result<std::string> ReadPassword(const std::string& file) {
  const auto password = ReadRegularFile(file);
  if (!password) {
    return Error{ErrorCode::kInvalid, "cannot read the password: " + password.error().Text(),
                 "--password-file"};
  }
  return std::string(Trim(*password));  // editors end the file with a newline
}

Result<Endpoint> MakeEndpoint(const TopOptions& options) {
  auto endpoint = ParseUrl(options.url.value_or(kDefaultUrl), kPort);
  if (!endpoint) {
    return Error{ErrorCode::kInvalid, endpoint.error().Text(), "--url"};
  }
  endpoint->path += fmt::format("{}api/v1/persistent?metric={}&limit={}",
                                endpoint->path.ends_with('/') ? "" : "/",
                                UrlEncoded(options.metric), options.limit);
  endpoint->accept = "application/json";
  endpoint->tls.ca_file = options.ca_file;
  if (!options.username.empty()) {
    auto password = ReadPassword(options.password_file);
    if (!password) {
      return password.error();
    }
    endpoint->basic_auth = {.username = options.username, .password = *std::move(password)};
  }
  return endpoint;
}

// One request over the fetcher that also scrapes: the same TLS, limits and errors.
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
  connection.reset();  // not before its thread has ended: the callback may still be running
  return result;
}

int AskDiagnoser(const TopOptions& options) {
  const auto endpoint = MakeEndpoint(options);
  if (!endpoint) {
    return Fail(endpoint.error().Text(), kExitUsage);
  }
  const auto result = Fetch(*endpoint);
  if (result.failure) {
    return Fail(fmt::format("{}: {}; is limpet-diagnoser running there? --url says where",
                            FormatUrl(*endpoint), result.error),
                kExitFailed);
  }
  const auto list = ParseTopJson(result.body);
  if (!list) {
    return Fail(FormatUrl(*endpoint) + ": " + list.error().Text(), kExitFailed);
  }
  return Print(TopTable(*list, options.metric));
}

// As [Kasick12 Fig. 5] prints them.
std::string HourlyText(const SummaryEvent& summary) {
  auto text = fmt::format("preset {}\nDate.Hour: Value PG:LUN-server\n", summary.preset);
  for (const auto& row : summary.hourly) {
    text += row + "\n";
  }
  return text + "\n";
}

int ReadRecordings(const TopOptions& options) {
  auto config = LoadDiagnoserConfig(options.config_file, options.thresholds_file);
  if (!config) {
    return RefuseConfig(config.error(), options.config_file);
  }
  // The hourly list is that of the metric asked for, whatever the configuration says.
  for (auto& preset : config->pipeline.presets) {
    preset.hourly_metric = options.metric;
  }
  const auto log = StderrLog(config->log_level);
  LogNotes(config->notes, log);
  std::string hours;
  Workers workers(HelperThreads(options.jobs));
  const auto report = ReplayWithProgress(
      {.doing = "replaying", .style = options.progress}, std::move(config->pipeline),
      {.paths = options.inputs, .workers = &workers},
      {.events = ForEachEvent([&](const Event& event) {
         if (const auto* summary = std::get_if<SummaryEvent>(&event)) {
           hours += HourlyText(*summary);
         }
       })},
      log);
  if (!report) {
    return Fail(report.error().Text(), kExitFailed);
  }
  if (const auto misfit = FindMisfit(*report); !misfit.empty()) {
    return Fail("top: " + misfit, kExitFailed);
  }
  const auto list = MakeTopList(report->view, options.metric, options.limit);
  return Print(hours + TopTable(list, options.metric));
}

}  // namespace

void TopOptions::Bind(Flags& flags) {
  flags.Add(url, "--url", "URL", "running diagnoser to ask", kDefaultUrl);
  flags.Add(username, "--username", "NAME", "user name for its basic authentication");
  flags.Add(password_file, "--password-file", "FILE", "file with the password of --username");
  flags.Add(ca_file, "--ca-file", "FILE", "certificate authority to trust for https");
  BindConfigFile(flags, config_file);
  BindThresholdsFile(flags, thresholds_file);
  flags.Add(metric, "--metric", "METRIC", "metric whose anomalies to list, such as rd_sec");
  flags.AddNumber(limit, "--limit", "NUMBER", "how many components to list for each preset", 1,
                  kMaxTopEntries);
  BindJobs(flags, jobs);
  BindProgress(flags, progress);
  BindRecordings(flags, inputs);
}

int RunTop(const TopOptions& options) {
  if (options.url && !options.inputs.empty()) {
    return Fail("top: expected either --url or recordings, not both", kExitUsage);
  }
  if (!IsTopMetric(options.metric)) {
    return Fail(
        "top: --metric: expected a metric such as await, read_bytes, write_bytes, receive_bytes or "
        "cwnd_client, got \"" +
            options.metric + "\"",
        kExitUsage);
  }
  if (options.username.empty() != options.password_file.empty()) {
    return Fail("top: expected --username and --password-file together", kExitUsage);
  }
  return options.inputs.empty() ? AskDiagnoser(options) : ReadRecordings(options);
}

}  // namespace limpet
