#include "diagnoser/commands/ask_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <utility>

#include "diagnoser/sources/reading_spacing.h"
#include "diagnoser/sources/store_reader.h"

namespace limpet {
namespace {

// Scrapes are some seconds late and a store writes later still: a single step may have nothing yet.
// So long, that two readings a minute apart are seen.
constexpr Duration kSpan = std::chrono::minutes(4);
constexpr int kLeastSteps = 4;

Duration Span(const StoreSettings& settings) {
  return settings.step * std::clamp<Duration::rep>(kSpan / settings.step, kLeastSteps, kMaxSteps);
}

// A page a target: those without one have nothing new.
void Take(StoreBatch batch, StoreAnswers& answers) {
  std::map<std::string, FetchResult> pages;
  for (auto& page : batch.pages) {
    pages[page.target->node] = std::move(page.result);
  }
  ReadingSpacing spacing;
  for (const auto& [node, result] : pages) {
    spacing.AddPage(node, result.body);
  }
  answers.spacing = spacing.Typical();
  answers.targets = std::move(batch.targets);
  for (const auto& target : answers.targets) {
    const auto found = pages.find(target.node);
    answers.pages.push_back(found == pages.end() ? FetchResult() : std::move(found->second));
  }
}

// A store that calls its answer partial is asked again by the reader, and then believed.
bool IsFailure(const StoreStatus& status) {
  return status.tried && !status.good && status.failures.at("partial") == 0;
}

}  // namespace

StoreAnswers AskStore(StoreSettings settings, const StoreWants& wants) {
  settings.catch_up = Span(settings);
  StoreAnswers answers;
  bool told = false;  // on the fetcher's thread
  std::promise<void> done;
  const auto finish = [&] {
    told = true;
    done.set_value();
  };
  const RealClock clock;
  const auto fetcher = StartFetcher(clock);
  StoreReader reader(
      *fetcher, clock,
      [&](StoreBatch batch) {
        if (!told) {
          Take(std::move(batch), answers);
          finish();
        }
      },
      [&](const StoreStatus& status) {
        answers.unnamed = status.unnamed;
        if (!told && IsFailure(status)) {
          answers.error = status.error;
          finish();
        }
      },
      [](LogLevel, std::string_view) {});  // the answers say it
  reader.Start(std::move(settings), wants, std::nullopt);
  done.get_future().wait();
  fetcher->Stop();  // before the reader that it calls goes
  return answers;
}

std::vector<std::string> FindStoreSlips(const StoreSettings& settings,
                                        const StoreAnswers& answers) {
  if (!answers.error.empty()) {
    return {fmt::format("prometheus.url: {}: {}", FormatUrl(settings.endpoint), answers.error)};
  }
  std::vector<std::string> texts;
  // Series are there, so that the address and the selector are right: only the label can be wrong.
  if (answers.unnamed > 0) {
    texts.push_back(fmt::format(
        "prometheus.node_label: {} series have no label {} that could name a node: they are left "
        "out; expected the label that tells servers apart, such as instance",
        answers.unnamed, settings.node_label));
  } else if (answers.targets.empty()) {
    texts.push_back(DescribeEmptyStore(settings, Span(settings)));
  }
  if (auto step = FindStepSlip(settings, answers.spacing)) {
    texts.push_back(*std::move(step));
  }
  return texts;
}

}  // namespace limpet
