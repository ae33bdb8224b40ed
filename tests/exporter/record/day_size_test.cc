// What a day of recording takes on the disk: one busy disk, one interface, three connections, the
// host. Twenty minutes stand for the day: frames of a minute know nothing of each other, so size
// grows in proportion.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "exporter/collectors/catalog/disk.h"
#include "exporter/collectors/catalog/host.h"
#include "exporter/collectors/catalog/net.h"
#include "exporter/collectors/catalog/tcp.h"
#include "exporter/record/recorder.h"
#include "tests/exporter/record/memory_folder.h"
#include "tests/support/manual_clock.h"

namespace limpet::day_size_test {
namespace {

constexpr int kSeconds = 1200;
constexpr double kPerDay = 86400.0 / kSeconds;
constexpr double kBound = 12e6;  // bytes a day
constexpr double kBoundOfColumns = 4e6;

// A server under load from three clients, weeks after its boot, counters as the kernel keeps them.
class Server {
 public:
  Families Second() {
    const double load = 0.6 + 0.4 * std::sin(second_++ / 97.0);
    const double reads = Draw(120 * load, 25);
    const double writes = Draw(80 * load, 20);
    Count(0, reads);
    Count(1, writes);
    Count(2, reads * 65536 - Draw(8, 4) * 4096);
    Count(3, writes * 65536 - Draw(8, 4) * 4096);
    Count(4, reads * Draw(6, 1));  // ms
    Count(5, writes * Draw(9, 2));
    Count(6, Draw(700 * load, 40));
    Count(7, reads * Draw(6, 1) + writes * Draw(9, 2));
    Count(8, writes * 65536 * 1.03 + Draw(4000, 900));
    Count(9, writes * 45 + Draw(40, 9));
    Count(10, reads * 65536 * 1.03 + Draw(4000, 900));
    Count(11, reads * 45 + Draw(40, 9));
    for (std::size_t i = 0; i < 3; ++i) {
      Count(12 + i, reads * 21845 + Draw(2000, 500));
      cwnd_[i] = std::clamp(cwnd_[i] + std::round(Draw(1, 3)) - 1, 2.0, 200.0);
    }
    Count(15, Draw(25, 5));  // ticks of 10 ms: user
    Count(16, Draw(35, 6));  // system
    Count(17, 340 - Draw(25, 5));
    Count(18, Draw(12, 4));  // iowait
    Count(19, Draw(3, 1));
    Count(20, Draw(9000, 600));  // context switches
    Count(21, reads * 64);
    Count(22, writes * 64);
    Count(23, Draw(1500, 400));
    if (second_ % 5 == 0) {
      load_ = std::round(load_ * 92 + Draw(8, 3)) / 100;
    }
    return Show();
  }

 private:
  double Draw(double mean, double deviation) {
    return std::max(0.0, std::round(std::normal_distribution<double>(mean, deviation)(random_)));
  }
  void Count(std::size_t counter, double by) { counters_[counter] += std::round(by); }

  Families Show() {
    const auto ms = [&](std::size_t i) { return counters_[i] / 1000; };
    const auto ticks = [&](std::size_t i) { return counters_[i] / 100; };
    Families all;
    const auto add = [&](const MetricInfo& info, std::vector<Sample> samples) {
      all.push_back({&info, std::move(samples)});
    };
    add(catalog::kDiskReadsCompleted, {{disk_, counters_[0]}});
    add(catalog::kDiskReadBytes, {{disk_, counters_[2]}});
    add(catalog::kDiskReadTime, {{disk_, ms(4)}});
    add(catalog::kDiskWritesCompleted, {{disk_, counters_[1]}});
    add(catalog::kDiskWrittenBytes, {{disk_, counters_[3]}});
    add(catalog::kDiskWriteTime, {{disk_, ms(5)}});
    add(catalog::kDiskIoTime, {{disk_, ms(6)}});
    add(catalog::kDiskIoTimeWeighted, {{disk_, ms(7)}});
    add(catalog::kNetworkReceiveBytes, {{interface_, counters_[8]}});
    add(catalog::kNetworkReceivePackets, {{interface_, counters_[9]}});
    add(catalog::kNetworkTransmitBytes, {{interface_, counters_[10]}});
    add(catalog::kNetworkTransmitPackets, {{interface_, counters_[11]}});
    Family active{&catalog::kTcpPeerActiveSockets, {}};
    Family peer_cwnd{&catalog::kTcpPeerCwnd, {}};
    Family cwnd{&catalog::kTcpCwnd, {}};
    Family acked{&catalog::kTcpBytesAcked, {}};
    for (std::size_t i = 0; i < 3; ++i) {
      active.samples.push_back({peers_[i], 1});
      peer_cwnd.samples.push_back({peers_[i], cwnd_[i]});
      cwnd.samples.push_back({sockets_[i], cwnd_[i]});
      acked.samples.push_back({sockets_[i], counters_[12 + i]});
    }
    for (auto* family : {&active, &peer_cwnd, &cwnd, &acked}) {
      all.push_back(std::move(*family));
    }
    add(catalog::kCpuSeconds, {{modes_[0], ticks(15)},
                               {modes_[1], 12.5},
                               {modes_[2], ticks(16)},
                               {modes_[3], ticks(17)},
                               {modes_[4], ticks(18)},
                               {modes_[5], 0},
                               {modes_[6], ticks(19)},
                               {modes_[7], 0}});
    add(catalog::kContextSwitches, {{nullptr, counters_[20]}});
    add(catalog::kProcsRunning, {{nullptr, Draw(2, 1)}});
    add(catalog::kProcessesThreads, {{nullptr, 412 + Draw(1, 1)}});
    add(catalog::kLoad1, {{nullptr, load_}});
    add(catalog::kVmstatPgpgin, {{nullptr, counters_[21]}});
    add(catalog::kVmstatPgpgout, {{nullptr, counters_[22]}});
    add(catalog::kVmstatPgfault, {{nullptr, counters_[23]}});
    return all;
  }

  static LabelsPtr Socket(const std::string& port) {
    return MakeLabels({{"local_address", "10.20.0.11"},
                       {"local_port", "49152"},
                       {"remote_address", "10.20.1.2" + port.substr(0, 1)},
                       {"remote_port", "10" + port}});
  }
  static LabelsPtr Peer(const std::string& last) {
    return MakeLabels(
        {{"local_address", "10.20.0.11"}, {"peer", "10.20.1.2" + last}, {"side", "server"}});
  }
  static LabelsPtr Mode(const std::string& mode) { return MakeLabels({{"mode", mode}}); }

  std::mt19937_64 random_{42};
  int second_ = 0;
  double load_ = 1.2;
  std::array<double, 24> counters_{
      83'412'907,        61'220'118,    5'283'120'914'432, 3'920'114'286'592, 512'420'118,
      611'002'391,       914'222'817,   1'123'422'509,     4'120'993'220'113, 2'810'331'909,
      5'512'882'110'332, 3'211'885'220, 1'811'220'391,     1'799'220'118,     1'820'331'007,
      44'120'331,        61'220'410,    812'330'112,       12'330'998,        5'220'118,
      18'330'441'220,    5'159'297'768, 3'828'236'608,     2'220'118'331};
  std::array<double, 3> cwnd_{31, 44, 27};
  LabelsPtr disk_ = MakeLabels({{"device", "sdb"}});
  LabelsPtr interface_ = MakeLabels({{"device", "eth0"}});
  std::array<LabelsPtr, 3> sockets_{Socket("1017"), Socket("2020"), Socket("3018")};
  std::array<LabelsPtr, 3> peers_{Peer("1"), Peer("2"), Peer("3")};
  std::array<LabelsPtr, 8> modes_{Mode("user"),   Mode("nice"), Mode("system"),  Mode("idle"),
                                  Mode("iowait"), Mode("irq"),  Mode("softirq"), Mode("steal")};
};

double BytesADay(RecordingForm form) {
  testing::ManualClock clock(UnixFromSeconds(1'769'817'605));
  const auto disk = std::make_shared<testing::MemoryDisk>();
  Recorder recorder({.instance = "io01.example.com", .format = form},
                    std::make_unique<testing::MemoryFolder>(disk), clock,
                    [](LogLevel, std::string_view) {});
  Server server;
  for (int i = 0; i < kSeconds; ++i) {
    recorder.Add(Snapshot(clock.Now() + std::chrono::microseconds(80), server.Second(), {}));
    clock.Advance(std::chrono::seconds(1));
  }
  recorder.Close();
  EXPECT_EQ(disk->files.size(), 1U);
  return static_cast<double>(disk->files.begin()->second.size()) * kPerDay;
}

TEST(DaySize, OfTextIsUnderTwelveMegabytes) {
  const auto day = BytesADay(RecordingForm::kText);
  RecordProperty("bytes_per_day", std::to_string(day));
  EXPECT_LT(day, kBound);
}

TEST(DaySize, OfColumnsIsUnderFourMegabytes) {
  const auto day = BytesADay(RecordingForm::kColumns);
  RecordProperty("bytes_per_day", std::to_string(day));
  EXPECT_LT(day, kBoundOfColumns);
}

}  // namespace
}  // namespace limpet::day_size_test
