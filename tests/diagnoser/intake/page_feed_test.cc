#include "diagnoser/intake/page_feed.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <deque>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "diagnoser/pipeline/pipeline.h"
#include "diagnoser/publish/events.h"

namespace limpet::page_feed_test {
namespace {

constexpr std::int64_t kStart = 1'700'000'000;

PipelineConfig Config() {
  PipelineConfig config;
  config.presets = {TestbenchPreset()};
  config.groups = {{.name = "io"},
                   {.name = "net", .kind = GroupKind::kNetwork},
                   {.name = "cwnd", .kind = GroupKind::kCwnd, .ports = {2049}}};
  return config;
}

// A page of a recording's file, of one node, and how to ask for it.
struct Page {
  std::string file;
  std::string text;
};

Scrape Recorded(const Page& page, UnixTime watermark) {
  return {.source = page.file,
          .node = {},
          .role = {},
          .labels = {},
          .at = watermark,
          .format = Format::kOpenMetrics,
          .recording = true,
          .text = page.text};
}

// Every body on a thread of its own.
void OnThreads(std::size_t count, const std::function<void(std::size_t)>& body) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) {
    threads.emplace_back([&body, i] { body(i); });
  }
  for (auto& thread : threads) {
    thread.join();
  }
}

// What came of some rounds of pages: what each page was said to be, and all events.
struct Outcome {
  std::vector<std::string> stats;
  std::vector<std::string> events;
  PipelineCounters counters;
};

std::string Text(const Result<IngestStats>& stats) {
  if (!stats) {
    return stats.error().Text();
  }
  std::size_t impossible = 0;
  for (const auto count : stats->impossible) {
    impossible += count;
  }
  std::string text = fmt::format("{} {} {} {} {} {} {} {}", stats->samples, stats->mapped,
                                 stats->bad_lines, stats->late, stats->refused, impossible,
                                 stats->first ? stats->first->time_since_epoch().count() : 0,
                                 stats->last ? stats->last->time_since_epoch().count() : 0);
  for (const auto& one : stats->examples) {
    text += fmt::format(" {}/{} {} {}", one.node, one.device, one.counter, one.increase);
  }
  return text;
}

void Take(const std::vector<Event>& events, Outcome& outcome) {
  for (const auto& event : events) {
    outcome.events.push_back(ToJsonLine(event));
  }
}

Outcome OneByOne(const std::vector<std::vector<Page>>& rounds) {
  Pipeline pipeline(Config());
  Outcome outcome;
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    const auto watermark = UnixFromSeconds(kStart + static_cast<std::int64_t>(round) - 5);
    Take(pipeline.Advance(watermark), outcome);
    for (const auto& page : rounds[round]) {
      outcome.stats.push_back(Text(pipeline.Ingest(Recorded(page, watermark))));
    }
  }
  Take(pipeline.Finish(), outcome);
  outcome.counters = pipeline.Counters();
  return outcome;
}

Outcome Together(const std::vector<std::vector<Page>>& rounds) {
  Pipeline pipeline(Config());
  pipeline.WorkBy(OnThreads);
  Outcome outcome;
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    const auto watermark = UnixFromSeconds(kStart + static_cast<std::int64_t>(round) - 5);
    Take(pipeline.Advance(watermark), outcome);
    std::deque<PageAhead> ahead;
    std::vector<PageOfTurn> pages;
    for (const auto& page : rounds[round]) {
      ahead.emplace_back().Read(pipeline.ReadAhead(page.file), Recorded(page, watermark));
      pages.push_back({.scrape = Recorded(page, watermark), .ahead = &ahead.back(), .latest = {}});
    }
    pipeline.IngestTogether(pages);
    for (const auto& page : pages) {
      outcome.stats.push_back(Text(page.stats));
    }
  }
  Take(pipeline.Finish(), outcome);
  outcome.counters = pipeline.Counters();
  return outcome;
}

void ExpectTheSame(const std::vector<std::vector<Page>>& rounds, std::size_t windows) {
  const auto expected = OneByOne(rounds);
  const auto found = Together(rounds);
  EXPECT_GE(expected.events.size(), windows);
  EXPECT_EQ(found.stats, expected.stats);
  EXPECT_EQ(found.events, expected.events);
  EXPECT_EQ(found.counters.samples, expected.counters.samples);
  EXPECT_EQ(found.counters.mapped, expected.counters.mapped);
  EXPECT_EQ(found.counters.late, expected.counters.late);
  EXPECT_EQ(found.counters.refused, expected.counters.refused);
  EXPECT_EQ(found.counters.resets, expected.counters.resets);
  EXPECT_EQ(found.counters.gaps, expected.counters.gaps);
  EXPECT_EQ(found.counters.components, expected.counters.components);
}

std::string Line(std::string_view series, const std::string& labels, double value, int second) {
  return fmt::format("{}{{{}}} {} {}.000\n", series, labels, value, kStart + second);
}

// Counters of a node in one second.
std::string Node(const std::string& node, int second, double factor = 1) {
  std::string text;
  for (const char* const device : {"sda", "sdb"}) {
    const auto labels = fmt::format(R"(device="{}",instance="{}")", device, node);
    for (const char* const series :
         {"limpet_disk_reads_completed_total", "limpet_disk_read_bytes_total",
          "limpet_disk_read_time_seconds_total", "limpet_disk_io_time_seconds_total"}) {
      text += Line(series, labels, factor * second * (device[2] == 'a' ? 0.5 : 0.25), second);
    }
  }
  const auto labels = fmt::format(R"(device="eth0",instance="{}")", node);
  text += Line("limpet_network_speed_bytes", labels, 1.25e8, second);
  text += Line("limpet_network_receive_bytes_total", labels, 1e5 * factor * second, second);
  text += Line("limpet_network_transmit_bytes_total", labels, 2e5 * factor * second, second);
  text += Line(
      "limpet_tcp_peer_cwnd_segments",
      fmt::format(
          R"(local_address="10.0.0.1",local_port="2049",peer="10.0.1.1",side="server",instance="{}")",
          node),
      10 + factor, second);
  return text;
}

TEST(PageFeed, PagesSideBySideAreWhatTheyAreOneByOne) {
  std::vector<std::vector<Page>> rounds;
  for (int second = 0; second < 200; ++second) {
    rounds.emplace_back();
    for (const char* const node : {"a", "b", "c", "d", "e"}) {
      rounds.back().push_back({std::string(node) + ".om", Node(node, second, 1 + (*node - 'a'))});
    }
  }
  ExpectTheSame(rounds, 6);
}

// Another speed is another bound of the counters that come after it, on the same page or the next.
TEST(PageFeed, WhatChangesLaterCountersWaitsForItsTurn) {
  std::vector<std::vector<Page>> rounds;
  for (int second = 0; second < 150; ++second) {
    rounds.emplace_back();
    for (const char* const node : {"a", "b", "c"}) {
      const auto labels = fmt::format(R"(device="eth0",instance="{}")", node);
      auto text = Node(node, second);
      if (*node == 'b' && second == 70) {  // a slow link, and then more than it carries
        text += Line("limpet_network_speed_bytes", labels, 1.25e6, second);
      }
      auto next = Line("limpet_network_receive_bytes_total", labels,
                       1e5 * (second + 0.5) + (second == 70 ? 9e6 : 0), second);
      next.replace(next.find(".000"), 4, ".500");
      rounds.back().push_back({std::string(node) + ".om", text});
      rounds.back().push_back({std::string(node) + ".om", next});
    }
  }
  ExpectTheSame(rounds, 4);
}

TEST(PageFeed, OddPagesAmongOthers) {
  std::mt19937 random(7);
  const auto draw = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  for (int attempt = 0; attempt < 12; ++attempt) {
    std::vector<std::vector<Page>> rounds;
    for (int second = 0; second < 130; ++second) {
      rounds.emplace_back();
      for (const char* const node : {"a", "b", "c", "d"}) {
        auto text = Node(node, second, 1 + (*node - 'a'));
        switch (draw(40)) {
          case 0:
            text += "what is this\n";
            break;
          case 1:  // a counter begins again
            text = Node(node, second, 0.01);
            break;
          case 2:  // another machine's
            text = Node(node, second, 1e9);
            break;
          case 3:  // late
            text = Node(node, second - 20);
            break;
          case 4:  // a disk comes
            text +=
                Line("limpet_disk_reads_completed_total",
                     fmt::format(R"(device="sd{}",instance="{}")", draw(5), node), second, second);
            break;
          case 5:  // far ahead
            text += Line("limpet_disk_reads_completed_total",
                         fmt::format(R"(device="sda",instance="{}")", node), 1e4, second + 5000);
            break;
          case 6:
            text +=
                Line("limpet_network_speed_bytes",
                     fmt::format(R"(device="eth0",instance="{}")", node), draw(2) * 1e6, second);
            break;
          case 7:
            text +=
                Line("limpet_exporter_start_time_seconds", fmt::format(R"(instance="{}")", node),
                     static_cast<double>(kStart + second - 1), second);
            break;
          case 8:
            text.clear();
            break;
          case 9:
            text += Line("limpet_disk_reads_completed_total",
                         fmt::format(R"(device="sda",instance="{}")", node),
                         std::numeric_limits<double>::quiet_NaN(), second);
            break;
          default:
            break;
        }
        rounds.back().push_back({std::string(node) + ".om", std::move(text)});
      }
    }
    ExpectTheSame(rounds, 1);
  }
}

// The files of a server's days, or a file beside a folder that has it too under another name.
TEST(PageFeed, TwoSourcesOfOneNodeAreFedInOrder) {
  std::vector<std::vector<Page>> rounds;
  for (int second = 0; second < 200; ++second) {
    rounds.emplace_back();
    for (const char* const node : {"a", "b", "c"}) {
      for (const char* const file : {"monday", "tuesday"}) {
        rounds.back().push_back({std::string(node) + file, Node(node, second)});
      }
    }
  }
  ExpectTheSame(rounds, 6);
}

}  // namespace
}  // namespace limpet::page_feed_test
