// Whatever one counter of a healthy server does, nobody is named unless its rate stays.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "diagnoser/detect/default_presets.h"
#include "diagnoser/pipeline/pipeline.h"
#include "tests/support/property.h"

namespace limpet::one_counter_test {
namespace {

using std::chrono::seconds;
using ::testing::IsEmpty;

constexpr std::array kNames = {
    "disk_reads_completed_total{device=\"sda\"}",
    "disk_writes_completed_total{device=\"sda\"}",
    "disk_read_bytes_total{device=\"sda\"}",
    "disk_written_bytes_total{device=\"sda\"}",
    "disk_read_time_seconds_total{device=\"sda\"}",
    "disk_write_time_seconds_total{device=\"sda\"}",
    "disk_io_time_seconds_total{device=\"sda\"}",
    "disk_io_time_weighted_seconds_total{device=\"sda\"}",
    "network_receive_bytes_total{device=\"eth0\"}",
    "network_receive_packets_total{device=\"eth0\"}",
    "network_transmit_bytes_total{device=\"eth0\"}",
    "network_transmit_packets_total{device=\"eth0\"}",
};
using Counters = std::array<double, kNames.size()>;
constexpr std::size_t kServers = 6;
constexpr int kSeconds = 220;

// What the series of one server read like, second by second.
using Page = std::function<Counters(int second, const Counters& now)>;

PipelineConfig Shipped() {
  PipelineConfig config;
  config.presets = DefaultPresets();
  config.groups = {{.name = "disks"}, {.name = "net", .kind = GroupKind::kNetwork}};
  return config;
}

class Cluster {
 public:
  explicit Cluster(unsigned seed) : random_(seed) {
    for (auto& one : counters_) {
      one = {1e5, 1e5, 13e9, 13e9, 1e3, 1e3, 5e2, 2e3, 1e10, 1e6, 1e10, 1e6};
      for (auto& counter : one) {
        counter *= Noise(0.5);
      }
    }
  }

  // Who was named, secondary or not.
  std::set<std::string> Play(const Page& odd) {
    Pipeline pipeline(Shipped());
    std::set<std::string> named;
    for (int second = 0; second < kSeconds; ++second) {
      const UnixTime at = UnixFromSeconds(1'790'000'000 + second);
      for (std::size_t i = 0; i < kServers; ++i) {
        Rise(counters_[i]);
        const auto page = i + 1 == kServers ? odd(second, counters_[i]) : counters_[i];
        const auto node = fmt::format("io{:02}", i + 1);
        (void)pipeline.Ingest({.source = node,
                               .node = node,
                               .role = "server",
                               .labels = {},
                               .at = at,
                               .text = Print(page)});
      }
      for (const auto& event : pipeline.Advance(at)) {
        if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
          named.insert(verdict->node + " " + std::string(Name(verdict->cause)));
        }
      }
    }
    return named;
  }

 private:
  double Noise(double most) {
    return std::uniform_real_distribution<double>(1 - most, 1 + most)(random_);
  }
  void Rise(Counters& of) {
    const double reads = 100 * Noise(0.2);
    const double writes = 60 * Noise(0.2);
    const double read = 131072 * reads;
    const double written = 131072 * writes;
    const Counters rises = {reads,
                            writes,
                            read,
                            written,
                            reads * 0.009 * Noise(0.1),
                            writes * 0.006 * Noise(0.1),
                            0.45 * Noise(0.1),
                            1.3 * Noise(0.1),
                            written * 1.03 * Noise(0.05),
                            6000 * Noise(0.1),
                            read * 1.03 * Noise(0.05),
                            9000 * Noise(0.1)};
    for (std::size_t i = 0; i < of.size(); ++i) {
      of[i] += rises[i];
    }
  }
  static std::string Print(const Counters& counters) {
    std::string text;
    for (std::size_t i = 0; i < counters.size(); ++i) {
      text += fmt::format("limpet_{} {:.6f}\n", kNames[i], counters[i]);
    }
    return text;
  }

  std::mt19937 random_;
  std::array<Counters, kServers> counters_;
};

// Pages that a cache hands out `age(second)` seconds late.
Page Stale(const std::function<int(int)>& age) {
  return [age, past = std::deque<Counters>()](int second, const Counters& now) mutable {
    past.push_front(now);
    past.resize(std::min<std::size_t>(past.size(), 10));
    return past[std::min(past.size() - 1, static_cast<std::size_t>(age(second)))];
  };
}

// One of the things that one counter of a healthy server may do, some seconds after the beginning.
struct Oddity {
  std::size_t counter = 0;
  int begin = 0;
  int length = 0;  // seconds
  int kind = 0;
  double size = 0;

  static constexpr int kKinds = 5;
  static constexpr std::array<const char*, kKinds> kTexts = {
      "reads low", "begins anew", "freezes and goes on", "goes back and forth", "jumps"};

  [[nodiscard]] std::string Text() const {
    return fmt::format("{} {} at {} s for {} s, {}", kNames[counter],
                       kTexts[static_cast<std::size_t>(kind)], begin, length, size);
  }
};

Oddity Draw(std::mt19937& random) {
  const auto number = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(random);
  };
  return {.counter = static_cast<std::size_t>(number(0, static_cast<int>(kNames.size()) - 1)),
          .begin = number(70, 150),
          .length = number(1, 4),
          .kind = number(0, Oddity::kKinds - 1),
          .size = std::pow(10.0, std::uniform_real_distribution<double>(-3, 4)(random))};
}

Page Do(const Oddity& odd) {
  return [odd, then = Counters(), past = std::deque<double>(), jump = 0.0](
             int second, const Counters& now) mutable {
    auto page = now;
    auto& value = page[odd.counter];
    past.push_front(value);
    past.resize(std::min<std::size_t>(past.size(), 8));
    const bool during = second >= odd.begin && second < odd.begin + odd.length;
    const double rise = past.size() > 1 ? past[0] - past[1] : 0;
    if (second == odd.begin) {
      then = now;
    }
    switch (odd.kind) {
      case 0:  // far below where it was, or a little
        value = during ? std::min(value, odd.size > 1 ? odd.size : value * (1 - odd.size)) : value;
        break;
      case 1:  // and nobody says so
        value -= second >= odd.begin ? then[odd.counter] : 0;
        break;
      case 2:
        value = during ? then[odd.counter] : value;
        break;
      case 3:
        value = past[during ? static_cast<std::size_t>(second * 7 + 3) % past.size() % 5 : 0];
        break;
      default:  // seconds' worth of work, or days'
        jump = second == odd.begin ? odd.size * 10 * rise : jump;
        value += jump;
        break;
    }
    return page;
  };
}

RC_GTEST_PROP(OneCounter, WhateverItDoesNobodyIsNamedUnlessItsRateStays, ()) {
  const auto seed = *testing::AnySeed();
  std::mt19937 random(seed);
  const auto odd = Draw(random);
  const auto named = Cluster(seed).Play(Do(odd));
  RC_LOG() << odd.Text() << ": " << ::testing::PrintToString(named);
  RC_ASSERT(named.empty());
}

TEST(OneCounter, OneLowReadingOfAnInterfaceIsNoTraffic) {
  EXPECT_THAT(Cluster(1).Play([](int second, const Counters& now) {
    auto page = now;
    for (std::size_t i = 8; second == 100 && i < page.size(); ++i) {
      page[i] = 1500;
    }
    return page;
  }),
              IsEmpty());
}

TEST(OneCounter, PagesThatACacheHandsOutLateNameNobody) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    EXPECT_THAT(Cluster(seed).Play(
                    Stale([&](int) { return std::uniform_int_distribution<int>(0, 5)(random); })),
                IsEmpty())
        << "any age, seed " << seed;
    const int lives = std::uniform_int_distribution<int>(2, 6)(random);
    EXPECT_THAT(Cluster(seed).Play(Stale([&](int second) { return second % lives; })), IsEmpty())
        << "the same page for " << lives << " s, seed " << seed;
  }
}

TEST(OneCounter, ARateThatStaysIsNamed) {
  double surplus = 0;
  const auto named = Cluster(1).Play([&](int second, const Counters& now) {
    auto page = now;
    surplus += second >= 70 ? 60e6 : 0;
    page[8] += surplus;
    return page;
  });
  EXPECT_THAT(named, ::testing::ElementsAre("io06 network-hog"));
}

}  // namespace
}  // namespace limpet::one_counter_test
