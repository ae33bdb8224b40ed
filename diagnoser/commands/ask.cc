#include "diagnoser/commands/ask.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <memory>
#include <string_view>
#include <utility>

#include "diagnoser/custom/series_table.h"
#include "diagnoser/evidence/groups/disk_mounts.h"
#include "diagnoser/facts/fact_readings.h"
#include "diagnoser/intake/page_machines.h"
#include "exporter/common/exposition/parser.h"

namespace limpet {
namespace {

// Fewer than the files that a process may have open.
constexpr std::size_t kAtOnce = 200;
// All pages are of one instant, whichever.
constexpr UnixTime kAsked = UnixFromSeconds(1);
// Of all facts those that say which disks are peers.
constexpr Field kMounts{Whose(FactSeries::kFilesystemSize),
                        FieldNumber(FactSeries::kFilesystemSize)};

// Adds the entity of a sample, or the file system, as the pipeline does; a series that no group
// takes leaves no trace. Returns whether its name means anything to the diagnosis.
bool Introduce(const PageItem& item, const SourceLabels& source, FactReadings& facts,
               Directory& directory) {
  const auto field = FindField(item.name);
  if (!field) {
    return false;
  }
  const auto labels = ParseLabels(item.labels);
  if (!labels || (field->index == kLabelField && !FindFieldByLabels(item.name, *labels))) {
    return false;
  }
  if (*field == kMounts) {
    const auto fact = facts.Resolve({.field = *field,
                                     .name = item.name,
                                     .labels = *labels,
                                     .source = source,
                                     .target = source.node});
    if (fact && std::isfinite(item.value)) {
      facts.Add(*fact, kAsked, std::max(0.0, item.value));
    }
    return true;
  }
  (void)directory.Resolve(*field, *labels, source);
  return true;
}

// Returns what to do about a page without a single known series.
std::string_view Advice(std::string_view name) {
  if (name.starts_with("windows_") || name.starts_with("wmi_")) {
    return "; windows_exporter is not read";
  }
  const bool old = name.starts_with("node_") && !name.ends_with("_total");
  return old ? "; node_exporter before 0.16 has other names, use a later one"
             : "; expected a page of limpet-exporter, node_exporter or the OpenTelemetry collector";
}

// Returns why a page cannot be used; empty when it can.
std::string ReadPage(const FetchResult& page, const Target& target, const CustomSeriesTable& custom,
                     FactReadings& facts, Answers& answers) {
  const std::vector<std::pair<std::string, std::string>> labels(target.labels.begin(),
                                                                target.labels.end());
  const SourceLabels source{.node = target.node, .role = target.role, .labels = labels};
  PageParser parser(page.body, {.format = page.format});
  std::string first;
  bool known = false;
  PageMachines machines;
  for (auto item = parser.Next(); item.kind != ItemKind::kEnd; item = parser.Next()) {
    if (item.kind == ItemKind::kError) {
      return parser.error().Text();
    }
    if (item.kind == ItemKind::kSample) {
      first = first.empty() ? std::string(item.name) : first;
      const auto line = DescribeDeviceLine(item.name, item.labels, item.series);
      if (const auto error = line ? machines.Add(*line) : std::nullopt) {
        return error->Text();
      }
      known = Introduce(item, source, facts, answers.directory) || custom.Reads(item.name) || known;
      if (answers.names.size() < Answers::kMaxNames) {
        answers.names.emplace(item.name);
      }
    }
  }
  if (known) {
    return "";
  }
  return first.empty() ? "the page is empty"
                       : "no series that Limpet knows (the first is " + first.substr(0, 80) + ")" +
                             std::string(Advice(first));
}

std::vector<Rule> Compiled(const std::vector<PeerGroupRule>& groups) {
  std::vector<Rule> rules;
  for (const auto& group : groups) {
    // The configuration has been accepted: they compile.
    if (auto rule = Rule::Compile(group)) {
      rules.push_back(*std::move(rule));
    }
  }
  return rules;
}

}  // namespace

std::vector<FetchResult> AskAll(std::span<const Target> targets, Duration patience) {
  const RealClock clock;
  const auto fetcher = StartFetcher(clock);
  std::vector<FetchResult> results;
  std::vector<std::unique_ptr<Connection>> connections(targets.size());
  for (std::size_t begin = 0; begin < targets.size(); begin += kAtOnce) {
    const auto end = std::min(begin + kAtOnce, targets.size());
    std::vector<std::promise<FetchResult>> promises(end - begin);
    fetcher->Post([&] {
      for (auto i = begin; i < end; ++i) {
        connections[i] = fetcher->Open(targets[i].endpoint);
        connections[i]->Get(patience, [&promise = promises[i - begin]](FetchResult result) {
          promise.set_value(std::move(result));
        });
      }
    });
    for (auto& promise : promises) {
      results.push_back(promise.get_future().get());
    }
  }
  fetcher->Stop();
  connections.clear();  // not before its thread has ended: a callback may still be running
  return results;
}

FetchResult Ask(const Endpoint& endpoint, Duration patience) {
  const std::vector<Target> one = {{.node = {}, .role = {}, .labels = {}, .endpoint = endpoint}};
  return AskAll(one, patience).front();
}

FetchResult Tell(const Endpoint& endpoint, const std::string& body, Duration patience) {
  const RealClock clock;
  const auto fetcher = StartFetcher(clock);
  std::unique_ptr<Connection> connection;
  std::promise<FetchResult> promise;
  fetcher->Post([&] {
    connection = fetcher->Open(endpoint);
    connection->Send({.body = body, .content_type = "application/json"}, patience,
                     [&promise](FetchResult result) { promise.set_value(std::move(result)); });
  });
  auto result = promise.get_future().get();
  fetcher->Stop();
  connection.reset();
  return result;
}

Answers ReadAnswers(const std::vector<PeerGroupRule>& groups, std::span<const CustomMetric> custom,
                    std::span<const Target> targets, std::span<const FetchResult> results) {
  const CustomSeriesTable table(custom);
  Answers answers{.directory = Directory(Compiled(groups)), .errors = {}};
  answers.directory.ExpectNodes(targets.size());
  FactReadings facts;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto error = results[i].failure ? results[i].error
                                    : ReadPage(results[i], targets[i], table, facts, answers);
    if (!error.empty()) {
      answers.errors[targets[i].node] = FormatUrl(targets[i].endpoint) + ": " + error;
    }
  }
  TellMounts({.end = kAsked, .facts = &facts}, nullptr, answers.directory);
  return answers;
}

}  // namespace limpet
