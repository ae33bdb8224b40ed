#include "diagnoser/commands/ask.h"

#include <algorithm>
#include <future>
#include <memory>
#include <string_view>
#include <utility>

#include "exporter/common/exposition/parser.h"

namespace limpet {
namespace {

// Fewer than the files that a process may have open.
constexpr std::size_t kAtOnce = 200;

// One line of a page; a series that no group takes leaves no trace.
void Introduce(const PageItem& item, const SourceLabels& source, Directory& directory) {
  // System calls are about processes, which no peer group has.
  const auto field = FindField(item.name);
  if (!field || KindRow(field->kind).shape == ReadingsShape::kSyscalls) {
    return;
  }
  if (const auto labels = ParseLabels(item.labels)) {
    (void)directory.Resolve(*field, *labels, source);
  }
}

// Why it cannot be read; empty when it can.
std::string ReadPage(const FetchResult& page, const Target& target, Directory& directory) {
  const std::vector<std::pair<std::string, std::string>> labels(target.labels.begin(),
                                                                target.labels.end());
  // As the pipeline does it, so that what is shown is what will be compared.
  const SourceLabels source{.node = target.node, .role = target.role, .labels = labels};
  PageParser parser(page.body, {.format = page.format});
  for (auto item = parser.Next(); item.kind != ItemKind::kEnd; item = parser.Next()) {
    if (item.kind == ItemKind::kError) {
      return parser.error().Text();
    }
    if (item.kind == ItemKind::kSample) {
      Introduce(item, source, directory);
    }
  }
  return "";
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

Answers ReadAnswers(const std::vector<PeerGroupRule>& groups, std::span<const Target> targets,
                    std::span<const FetchResult> results) {
  Answers answers{.directory = Directory(Compiled(groups)), .errors = {}};
  answers.directory.ExpectNodes(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    auto error =
        results[i].failure ? results[i].error : ReadPage(results[i], targets[i], answers.directory);
    if (!error.empty()) {
      answers.errors[targets[i].node] = FormatUrl(targets[i].endpoint) + ": " + error;
    }
  }
  return answers;
}

}  // namespace limpet
