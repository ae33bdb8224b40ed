// Pages of another machine under a server's name, and increases that no machine makes: a gap, never
// work, and nobody is named for them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "diagnoser/pipeline/pipeline.h"

namespace limpet::foreign_pages_test {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::int64_t kStart = 1'700'000'000 / 64 * 64;

// What a machine says of itself beside its counters.
struct Machine {
  double done = 0;  // requests before the first second
  double start = kStart - 1000;
  double boot = kStart - 5000;
  std::string hostname = "h";
  std::string serial = "S1";
  std::string prefix = "limpet";
  bool says_who = true;
};

std::string Page(const Machine& m, double second) {
  const double requests = m.done + 60 * second;
  auto page = fmt::format(
      "{0}_disk_reads_completed_total{{device=\"sda\"}} {1}\n"
      "{0}_disk_writes_completed_total{{device=\"sda\"}} 0\n"
      "{0}_disk_read_bytes_total{{device=\"sda\"}} {2}\n"
      "{0}_disk_written_bytes_total{{device=\"sda\"}} 0\n"
      "{0}_disk_read_time_seconds_total{{device=\"sda\"}} {3}\n"
      "{0}_disk_write_time_seconds_total{{device=\"sda\"}} 0\n"
      "{0}_disk_io_time_seconds_total{{device=\"sda\"}} {4}\n"
      "{0}_disk_io_time_weighted_seconds_total{{device=\"sda\"}} {3}\n"
      "{0}_network_receive_bytes_total{{device=\"eth0\"}} {2}\n"
      "{0}_network_receive_packets_total{{device=\"eth0\"}} {1}\n"
      "{0}_network_transmit_bytes_total{{device=\"eth0\"}} {2}\n"
      "{0}_network_transmit_packets_total{{device=\"eth0\"}} {1}\n",
      m.prefix, requests, requests * 65536, requests * 0.010, requests * 0.005);
  if (m.says_who) {
    page += fmt::format(
        "{0}\n"
        "{1}_boot_time_seconds {2}\n"
        "{1}_uname_info{{nodename=\"{3}\",sysname=\"Linux\"}} 1\n"
        "{1}_disk_info{{device=\"sda\",serial=\"{4}\"}} 1\n",
        m.prefix == "limpet" ? fmt::format("limpet_exporter_start_time_seconds {:.3f}", m.start)
                             : fmt::format("process_start_time_seconds {:.2f}", m.start),
        m.prefix, m.boot, m.hostname, m.serial);
  }
  return page;
}

// Five servers; `whose` tells whose page a server gives in a second.
struct FleetRun {
  using Whose = std::function<Machine(const std::string& node, int second)>;

  explicit FleetRun(const Whose& whose, int seconds = 400) {
    PipelineConfig config;
    config.presets = {DefaultPreset(), TestbenchPreset()};
    config.presets[1].hog_direction = false;
    config.groups = {{.name = "disks"}, {.name = "lan", .kind = GroupKind::kNetwork}};
    Pipeline pipeline(config);
    for (int second = 0; second < seconds; ++second) {
      const auto at = UnixFromSeconds(kStart + second);
      for (const std::string node : {"a", "b", "c", "d", "e"}) {
        const auto stats = pipeline.Ingest({.source = node,
                                            .node = node,
                                            .role = "io",
                                            .at = at,
                                            .text = Page(whose(node, second), second)});
        EXPECT_TRUE(stats);
        for (const auto& one : stats->replaced) {
          replaced[one.node].push_back(one.change);
        }
        for (std::size_t i = 0; i < kQuantities; ++i) {
          impossible += stats->impossible[i];
        }
        for (const auto& one : stats->examples) {
          examples.push_back(one);
        }
      }
      for (const auto& event : pipeline.Advance(at)) {
        Look(event);
      }
    }
  }
  void Look(const Event& event) {
    if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
      named.insert(verdict->node);
    } else if (const auto* window = std::get_if<WindowEvent>(&event)) {
      for (const auto& component : window->components) {
        if (component.window_anomalous) {
          anomalous.insert(component.component + " " + window->metric);
        }
      }
    }
  }

  std::map<std::string, std::vector<IdentityChange>> replaced;
  std::size_t impossible = 0;
  std::vector<ImpossibleIncrease> examples;
  std::set<std::string> named;
  std::set<std::string> anomalous;
};

// The addresses of b and c are swapped from second 200 on; c has done a little more.
FleetRun::Whose Swapped(Machine b, Machine c) {
  return [b, c](const std::string& node, int second) {
    const bool swapped = second >= 200;
    return node == (swapped ? "b" : "c") ? c : node == (swapped ? "c" : "b") ? b : Machine();
  };
}

TEST(ForeignPages, WhateverTellsThemApartIsAGap) {
  const Machine one;
  // So little more that physics has nothing against it.
  std::vector<std::pair<Machine, IdentityChange>> others;
  for (auto change : {IdentityChange::kStartTime, IdentityChange::kBootTime,
                      IdentityChange::kHostname, IdentityChange::kDisk}) {
    Machine other;
    other.done = 5000;
    (change == IdentityChange::kStartTime  ? other.start
     : change == IdentityChange::kBootTime ? other.boot
                                           : other.done) += 77;
    other.hostname = change == IdentityChange::kHostname ? "i" : "h";
    other.serial = change == IdentityChange::kDisk ? "S2" : "S1";
    others.emplace_back(other, change);
  }
  for (const std::string prefix : {"limpet", "node"}) {
    for (auto [other, change] : others) {
      auto first = one;
      first.prefix = other.prefix = prefix;
      const FleetRun run{Swapped(first, other)};
      EXPECT_THAT(run.named, IsEmpty()) << Name(change);
      EXPECT_THAT(run.anomalous, IsEmpty()) << Name(change);
      EXPECT_EQ(run.replaced.size(), 2U) << Name(change);
      EXPECT_EQ(run.replaced.at("b"), std::vector{change});
    }
  }
}

TEST(ForeignPages, ALoadBalancerIsAGapEachTime) {
  const FleetRun run([](const std::string& node, int second) {
    Machine machine;
    if (node == "b" && second % 2 == 1) {
      machine.done = 9000;
      machine.serial = "S2";
    }
    return machine;
  });
  EXPECT_THAT(run.named, IsEmpty());
  EXPECT_THAT(run.anomalous, IsEmpty());
  EXPECT_EQ(run.replaced.at("b").size(), 399U) << "also back to lines that the cache has known";
}

TEST(ForeignPages, ARestartOfTheExporterIsNoGap) {
  const FleetRun run([](const std::string&, int second) {
    Machine machine;
    machine.start = second < 200 ? kStart - 10 : kStart + 199.5;
    return machine;
  });
  EXPECT_THAT(run.replaced, IsEmpty());
  EXPECT_THAT(run.anomalous, IsEmpty());
}

TEST(ForeignPages, TheClockOfTheKernelMayBeSlewed) {
  const FleetRun run([](const std::string&, int second) {
    Machine machine;
    machine.prefix = "node";
    machine.boot += second / 100;
    machine.start += second / 100;
    return machine;
  });
  EXPECT_THAT(run.replaced, IsEmpty());
}

TEST(ForeignPages, WithoutAnyIdentityPhysicsTells) {
  Machine b;
  Machine c;
  b.says_who = c.says_who = false;
  c.done = 1e6;  // 5,000 s of work, 65 GB
  const FleetRun run{Swapped(b, c)};
  EXPECT_THAT(run.replaced, IsEmpty());
  EXPECT_GT(run.impossible, 0U);
  for (const auto& name : run.anomalous) {
    EXPECT_THAT(name, Not(::testing::HasSubstr("/sda"))) << "the whole disk is a gap";
  }
  ASSERT_THAT(run.examples, Not(IsEmpty()));
  EXPECT_EQ(run.examples[0].device, "sda");
  EXPECT_EQ(run.examples[0].counter, "disk_io_time_seconds_total");
  EXPECT_GT(run.examples[0].increase, run.examples[0].most);
}

TEST(ForeignPages, FastHardwareIsNotRefused) {
  // Each page a second: an array at 300 GB/s, 100 million requests, 100,000 of them in flight, and
  // two bonded 800 Gbit/s ports, after pauses as well.
  for (const double pause : {1.0, 4.0}) {
    Pipeline pipeline([] {
      PipelineConfig config;
      config.presets = {DefaultPreset()};
      config.groups = {{.name = "disks"}, {.name = "lan", .kind = GroupKind::kNetwork}};
      return config;
    }());
    for (int i = 0; i < 10; ++i) {
      const double second = pause * i;
      const auto page = fmt::format(
          "limpet_disk_reads_completed_total{{device=\"md0\"}} {}\n"
          "limpet_disk_read_bytes_total{{device=\"md0\"}} {}\n"
          "limpet_disk_read_time_seconds_total{{device=\"md0\"}} {}\n"
          "limpet_disk_io_time_seconds_total{{device=\"md0\"}} {}\n"
          "limpet_network_speed_bytes{{device=\"bond0\"}} 200000000000\n"
          "limpet_network_receive_bytes_total{{device=\"bond0\"}} {}\n"
          "limpet_network_speed_bytes{{device=\"tun0\"}} 1250000\n"
          "limpet_network_receive_bytes_total{{device=\"tun0\"}} {}\n",
          1e8 * second, 3e11 * second, 1e5 * second, second, 2e11 * second, 1e9 * second);
      const auto stats = pipeline.Ingest(
          {.source = "a",
           .node = "a",
           .role = "io",
           .at = UnixFromMilliseconds(static_cast<std::int64_t>(1000 * (kStart + second))),
           .text = page});
      ASSERT_TRUE(stats);
      EXPECT_THAT(stats->examples, IsEmpty());
    }
  }
}

TEST(ForeignPages, TheSpeedOfALinkBoundsWhatItCarries) {
  Pipeline pipeline([] {
    PipelineConfig config;
    config.presets = {DefaultPreset()};
    config.groups = {{.name = "lan", .kind = GroupKind::kNetwork}};
    return config;
  }());
  const auto ingest = [&](int second, double bytes) {
    const auto page = fmt::format(
        "node_network_speed_bytes{{device=\"eth0\"}} 1250000000\n"
        "node_network_receive_bytes_total{{device=\"eth0\"}} {}\n",
        bytes);
    return pipeline
        .Ingest({.source = "a",
                 .node = "a",
                 .role = "io",
                 .at = UnixFromSeconds(kStart + second),
                 .text = page})
        ->examples.size();
  };
  EXPECT_EQ(ingest(0, 0), 0U);
  EXPECT_EQ(ingest(1, 1e10), 0U) << "a virtual interface is faster than it says";
  EXPECT_EQ(ingest(2, 1e12), 1U);
}

}  // namespace
}  // namespace limpet::foreign_pages_test
