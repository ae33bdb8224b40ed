#include "exporter/collectors/tcp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/support/loopback_sockets.h"
#include "tests/support/map_files.h"

namespace limpet::tcp_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr std::string_view kConnection =
    R"(local_address="10.0.0.1",local_port="2049",remote_address="10.0.1.1",remote_port="700")";
constexpr std::string_view kPeer = R"(local_address="10.0.0.1",peer="10.0.1.1",side="server")";

TcpSocket Nfs(std::uint64_t id, std::uint8_t client, std::uint64_t acked) {
  const std::uint8_t local[] = {10, 0, 0, 1};
  const std::uint8_t remote[] = {10, 0, 1, client};
  TcpSocket socket{.id = id,
                   .local = IpAddress::FromV4(local),
                   .remote = IpAddress::FromV4(remote),
                   .local_port = 2049,
                   .remote_port = 700,
                   .state = kTcpEstablished,
                   .cwnd = 84,
                   .details = TcpDetails{.rtt_us = 1'500,
                                         .min_rtt_us = 800,
                                         .total_retransmits = 3,
                                         .segments_sent = 70,
                                         .last_data_sent_ms = 250,
                                         .bytes_acked = acked,
                                         .bytes_received = 9,
                                         .app_limited = true}};
  std::copy_n("cubic", 5, socket.congestion.begin());
  return socket;
}

// What the test puts in is what the collector reads.
struct Kernel {
  TcpSockets sockets;
  Duration cost{};
  bool detailed = true;
  bool from_netlink = true;
  bool broken = false;
  int readings = 0;
  std::vector<PortRange> ports = {};  // asked for later
  std::vector<TcpSocket> closed = {};
};

class FakeSource final : public TcpSource {
 public:
  explicit FakeSource(Kernel& kernel) : kernel_(kernel) {}
  Result<TcpReading> Read() override {
    ++kernel_.readings;
    if (kernel_.broken) {
      return Error{ErrorCode::kTimeout, "no answer in time", "netlink sock_diag"};
    }
    return TcpReading{.sockets = &kernel_.sockets,
                      .closed = kernel_.closed,
                      .cost = kernel_.cost,
                      .detailed = kernel_.detailed,
                      .from_netlink = kernel_.from_netlink};
  }
  void SetPorts(const std::vector<PortRange>& ports) override { kernel_.ports = ports; }

 private:
  Kernel& kernel_;
};

Tick At(Duration since_start) {
  return {UnixFromSeconds(1'700'000'000) + since_start,
          SteadyTime(std::chrono::hours(1)) + since_start};
}

// "name{labels}" → value.
std::map<std::string, double> Page(Collector& collector, const Tick& tick) {
  std::map<std::string, double> page;
  auto families = collector.Collect(tick);
  EXPECT_TRUE(families);
  for (const auto& family : *families) {
    for (const auto& sample : family.samples) {
      auto name = std::string(family.info->name);
      if (sample.labels) {
        name += "{" + sample.labels->Rendered() + "}";
      }
      EXPECT_TRUE(page.emplace(name, sample.value).second) << name << " is there twice";
    }
  }
  return page;
}

TEST(TcpCollector, ReportsPerPeerOnlyUnlessAskedForMore) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 500)}}};
  TcpCollector collector({}, std::make_unique<FakeSource>(kernel));
  const auto page = Page(collector, At(seconds(0)));
  const auto peer = "{" + std::string(kPeer) + "}";
  EXPECT_EQ(page.at("tcp_peer_sockets" + peer), 1);
  EXPECT_EQ(page.at("tcp_peer_active_sockets" + peer), 1);
  EXPECT_EQ(page.at("tcp_peer_cwnd_segments" + peer), 84);
  EXPECT_EQ(page.at("tcp_peer_min_cwnd_segments" + peer), 84);
  EXPECT_DOUBLE_EQ(page.at("tcp_peer_rtt_seconds" + peer), 0.0015);
  EXPECT_DOUBLE_EQ(page.at("tcp_peer_min_rtt_seconds" + peer), 0.0008);
  EXPECT_EQ(page.at("tcp_peer_segments_sent_total" + peer), 0);
  EXPECT_EQ(page.at("tcp_peer_segments_retransmitted_total" + peer), 0);
  EXPECT_EQ(page.at("tcp_peer_bytes_acked_total" + peer), 0);
  EXPECT_EQ(page.at("tcp_peer_bytes_received_total" + peer), 0);
  EXPECT_EQ(page.at("tcp_sockets"), 1);
  EXPECT_EQ(page.at("tcp_sockets_dropped_total"), 0);
  EXPECT_EQ(page.at("tcp_peers_dropped_total"), 0);
  EXPECT_EQ(page.at("tcp_sample_age_seconds"), 0);
  EXPECT_EQ(page.at("tcp_source_info{source=\"netlink\"}"), 1);
  EXPECT_EQ(page.at("tcp_closed_counted"), 0);
  EXPECT_EQ(page.size(), 16U);
}

TEST(TcpCollector, SaysNothingOfSegmentsThatTheKernelDoesNotCount) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 500)}}};
  kernel.sockets.sockets[0].details->segments_sent.reset();
  TcpCollector collector({}, std::make_unique<FakeSource>(kernel));
  const auto page = Page(collector, At(seconds(0)));
  const auto peer = "{" + std::string(kPeer) + "}";
  EXPECT_FALSE(page.contains("tcp_peer_segments_sent_total" + peer));
  EXPECT_EQ(page.at("tcp_peer_segments_retransmitted_total" + peer), 0);
}

TEST(TcpCollector, ReportsEachConnectionWhenAskedTo) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 500)}}};
  TcpCollector collector({.per_socket = true}, std::make_unique<FakeSource>(kernel));
  const auto page = Page(collector, At(seconds(0)));
  const auto connection = "{" + std::string(kConnection) + "}";
  EXPECT_EQ(page.at("tcp_cwnd_segments" + connection), 84);
  EXPECT_EQ(page.at("tcp_bytes_acked_total" + connection), 500);
  EXPECT_DOUBLE_EQ(page.at("tcp_rtt_seconds" + connection), 0.0015);
  EXPECT_EQ(page.at("tcp_retransmits_total" + connection), 3);
  EXPECT_EQ(page.at("tcp_delivery_rate_app_limited" + connection), 1);
  EXPECT_EQ(page.at("tcp_last_data_sent_seconds" + connection), 0.25);
  EXPECT_EQ(page.at("tcp_congestion_info{" + std::string(kConnection) + ",algorithm=\"cubic\"}"),
            1);
}

TEST(TcpCollector, AReloadLetsNoSumFall) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 500)}, .dropped = 4}};
  TcpCollector before({}, std::make_unique<FakeSource>(kernel));
  Page(before, At(seconds(0)));
  kernel.sockets.sockets = {Nfs(1, 1, 800)};
  const auto acked = "tcp_peer_bytes_acked_total{" + std::string(kPeer) + "}";
  EXPECT_EQ(Page(before, At(seconds(5))).at(acked), 300);

  TcpCollector after({.exclude_loopback = false}, std::make_unique<FakeSource>(kernel));
  after.Inherit(before);
  kernel.sockets.sockets = {Nfs(1, 1, 900), Nfs(2, 1, 7'000)};
  kernel.sockets.dropped = 0;
  auto page = Page(after, At(seconds(10)));
  EXPECT_EQ(page.at(acked), 400) << "the second one may be old: only now are its ports counted";
  EXPECT_EQ(page.at("tcp_sockets_dropped_total"), 8);
  kernel.sockets.sockets = {Nfs(1, 1, 900), Nfs(2, 1, 7'050), Nfs(3, 1, 20)};
  EXPECT_EQ(Page(after, At(seconds(15))).at(acked), 470);
}

TEST(TcpCollector, APeerWithoutAnActiveConnectionHasNoWindow) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 0)}}};
  TcpCollector collector({}, std::make_unique<FakeSource>(kernel));
  const auto page = Page(collector, At(seconds(0)));
  EXPECT_FALSE(page.contains("tcp_peer_cwnd_segments{" + std::string(kPeer) + "}"));
  EXPECT_EQ(page.at("tcp_peer_active_sockets{" + std::string(kPeer) + "}"), 0);
}

TEST(TcpCollector, FromProcAndOldKernelsThereAreOnlyWindows) {
  auto socket = Nfs(1, 1, 0);
  socket.details.reset();
  Kernel kernel{.sockets = {.sockets = {socket}}, .detailed = false, .from_netlink = false};
  TcpCollector collector({.per_socket = true}, std::make_unique<FakeSource>(kernel));
  auto page = Page(collector, At(seconds(0)));
  EXPECT_EQ(page.at("tcp_peer_cwnd_segments{" + std::string(kPeer) + "}"), 84);
  EXPECT_EQ(page.at("tcp_cwnd_segments{" + std::string(kConnection) + "}"), 84);
  EXPECT_FALSE(page.contains("tcp_peer_bytes_acked_total{" + std::string(kPeer) + "}"));
  EXPECT_EQ(page.at("tcp_source_info{source=\"proc\"}"), 1);

  kernel.from_netlink = true;  // before Linux 4.1
  page = Page(collector, At(seconds(5)));
  EXPECT_EQ(page.at("tcp_peer_cwnd_segments{" + std::string(kPeer) + "}"), 84);
  EXPECT_FALSE(page.contains("tcp_peer_bytes_acked_total{" + std::string(kPeer) + "}"));
  EXPECT_EQ(page.at("tcp_source_info{source=\"netlink\"}"), 1);
}

TEST(TcpCollector, AClosedConnectionVanishesAtOnce) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 500)}}};
  TcpCollector collector({.per_socket = true}, std::make_unique<FakeSource>(kernel));
  Page(collector, At(seconds(0)));
  kernel.sockets.sockets.clear();
  const auto page = Page(collector, At(seconds(1)));
  EXPECT_FALSE(page.contains("tcp_cwnd_segments{" + std::string(kConnection) + "}"));
  EXPECT_EQ(page.at("tcp_peer_sockets{" + std::string(kPeer) + "}"), 0);
}

TEST(TcpCollector, FollowsAChangeOfCongestionControl) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 500)}}};
  TcpCollector collector({.per_socket = true}, std::make_unique<FakeSource>(kernel));
  Page(collector, At(seconds(0)));
  kernel.sockets.sockets[0].congestion = {'b', 'b', 'r'};
  const auto page = Page(collector, At(seconds(1)));
  EXPECT_TRUE(
      page.contains("tcp_congestion_info{" + std::string(kConnection) + ",algorithm=\"bbr\"}"));
  EXPECT_FALSE(
      page.contains("tcp_congestion_info{" + std::string(kConnection) + ",algorithm=\"cubic\"}"));
}

TEST(TcpCollector, SumsWhatTheReaderLeftOut) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 500)}, .dropped = 3}};
  TcpCollector collector({}, std::make_unique<FakeSource>(kernel));
  EXPECT_EQ(Page(collector, At(seconds(0))).at("tcp_sockets_dropped_total"), 3);
  EXPECT_EQ(Page(collector, At(seconds(1))).at("tcp_sockets_dropped_total"), 6);
}

TEST(TcpCollector, ReadsEverySecondWhileThatIsCheap) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 500)}}, .cost = milliseconds(1)};
  TcpCollector collector({}, std::make_unique<FakeSource>(kernel));
  for (int second = 0; second < 10; ++second) {
    Page(collector, At(seconds(second)));
  }
  EXPECT_EQ(kernel.readings, 10);
}

TEST(TcpCollector, ReadsLessOftenWhenThatIsDearAndSaysHowOldItIs) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 500)}}, .cost = milliseconds(12)};
  TcpCollector collector({.cpu_share = 0.005}, std::make_unique<FakeSource>(kernel));
  for (int second = 0; second < 9; ++second) {
    const auto page = Page(collector, At(seconds(second)));
    EXPECT_EQ(page.at("tcp_sample_age_seconds"), second % 3) << second;
    EXPECT_EQ(page.at("tcp_sockets"), 1);
  }
  EXPECT_EQ(kernel.readings, 3);
}

TEST(TcpCollector, RestsNeverLongerThanTheMaximum) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 500)}}, .cost = seconds(1)};
  TcpCollector collector({}, std::make_unique<FakeSource>(kernel));
  for (int second = 0; second < 20; ++second) {
    Page(collector, At(seconds(second)));
  }
  EXPECT_EQ(kernel.readings, 4);
}

TEST(TcpCollector, RestsTheMaximumWhileThereIsNoFileSystem) {
  Kernel kernel;
  TcpCollector collector({}, std::make_unique<FakeSource>(kernel));
  for (int second = 0; second < 10; ++second) {
    Page(collector, At(seconds(second)));
  }
  EXPECT_EQ(kernel.readings, 2);
}

TEST(TcpCollector, ConnectionsThatNoReadingSeesAreAFileSystemToo) {
  Kernel kernel;
  TcpCollector collector({}, std::make_unique<FakeSource>(kernel));
  Page(collector, At(seconds(0)));
  kernel.closed = {Nfs(1, 1, 500)};
  for (int second = 5; second < 10; ++second) {
    Page(collector, At(seconds(second)));
  }
  EXPECT_EQ(kernel.readings, 6);
}

TEST(TcpCollector, UnevenTicksSkipNoReading) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 500)}}};
  TcpCollector collector({}, std::make_unique<FakeSource>(kernel));
  Page(collector, At(seconds(0)));
  Page(collector, At(milliseconds(990)));
  Page(collector, At(milliseconds(2'050)));
  EXPECT_EQ(kernel.readings, 3);
}

TEST(TcpCollector, AFailureIsAnErrorAndNothingOldIsShown) {
  Kernel kernel{.sockets = {.sockets = {Nfs(1, 1, 500)}}, .cost = seconds(1)};
  TcpCollector collector({}, std::make_unique<FakeSource>(kernel));
  Page(collector, At(seconds(0)));
  kernel.broken = true;
  const auto failed = collector.Collect(At(seconds(5)));
  ASSERT_FALSE(failed);
  EXPECT_THAT(failed.error().Text(), HasSubstr("no answer in time"));
  kernel.broken = false;
  EXPECT_EQ(Page(collector, At(seconds(6))).at("tcp_sample_age_seconds"), 0);
}

// Real sockets, really dumped: 300 connections are 600 sockets and two peers, one for each side.
TEST(TcpCollector, SeesTheConnectionsOfThisMachine) {
  const testing::LoopbackSockets loopback(AF_INET, 300);
  ASSERT_TRUE(loopback.Good());
  TcpOptions options{.ports = {{loopback.Port(), loopback.Port()}}, .exclude_loopback = false};
  const auto all = MakeTcpCollector(options, OpenRealFiles("/proc"));
  const auto page = Page(*all, At(seconds(0)));
  for (const auto* side : {"server", "client"}) {
    const auto peer =
        R"({local_address="127.0.0.1",peer="127.0.0.1",side=")" + std::string(side) + "\"}";
    EXPECT_EQ(page.at("tcp_peer_sockets" + peer), 300) << side;
  }
  EXPECT_EQ(page.at("tcp_sockets"), 600);

  options.exclude_loopback = true;
  const auto none = MakeTcpCollector(options, OpenRealFiles("/proc"));
  EXPECT_EQ(Page(*none, At(seconds(0))).at("tcp_sockets"), 0);
}

TEST(ProcTcpSource, ReadsBothFilesAndDoesWithoutIPv6) {
  auto tree = std::make_shared<testing::FileTree>();
  tree->files["net/tcp"] =
      "  sl  local_address rem_address   st\n"
      "   1: 0100000A:0801 0101000A:02BC 01 0:0 2:0 0 0 0 1 2 0 20 4 30 84 42\n";
  const TcpSourceOptions options{.ports = {{2049, 2049}}};
  const auto source = OpenProcTcpSource(options, std::make_unique<testing::MapFiles>(tree));
  EXPECT_EQ(source->Read()->sockets->sockets.size(), 1U);
  tree->files["net/tcp6"] =
      "header\n"
      "   1: 0000000000000000FFFF00000100000A:0801 0000000000000000FFFF00000201000A:02BC 01"
      " 0:0 2:0 0 0 0 1 2 0 20 4 30 85 42\n";
  const auto both = source->Read();
  ASSERT_TRUE(both);
  ASSERT_EQ(both->sockets->sockets.size(), 2U);
  EXPECT_EQ(both->sockets->sockets[1].remote.Text(), "10.0.1.2");
  EXPECT_FALSE(both->detailed);
}

TEST(ProcTcpSource, SaysWhichFileIsMissing) {
  const auto source =
      OpenProcTcpSource({.ports = {{2049, 2049}}},
                        std::make_unique<testing::MapFiles>(std::make_shared<testing::FileTree>()));
  const auto reading = source->Read();
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().where, "net/tcp");
}

// GlusterFS 10: bricks at 55123 and 58004, of the ports that clients take for themselves.
constexpr std::string_view kGluster10 =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
    "inode\n"
    "   0: 00000000:5DC7 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 "
    "1000 1 "
    "0000000000000000 20 4 30 10 -1\n"
    "   1: 00000000:D753 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 "
    "1001 1 "
    "0000000000000000 20 4 30 10 -1\n"
    "   2: 00000000:E294 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 "
    "1002 1 "
    "0000000000000000 20 4 30 10 -1\n"
    "   3: 0100000A:5DC7 0500000A:03FD 01 00000000:00000000 00:00000000 00000000     0        0 "
    "1003 1 "
    "0000000000000000 20 4 30 10 -1\n"
    "   4: 0100000A:D753 0500000A:03FB 01 00000000:00000000 00:00000000 00000000     0        0 "
    "1004 1 "
    "0000000000000000 20 4 30 10 -1\n"
    "   5: 0100000A:E294 0500000A:03F9 01 00000000:00000000 00:00000000 00000000     0        0 "
    "1005 1 "
    "0000000000000000 20 4 30 10 -1\n"
    "   6: 0100000A:D753 0600000A:BFFE 01 00000000:00000000 00:00000000 00000000     0        0 "
    "1006 1 "
    "0000000000000000 20 4 30 10 -1\n"
    "   7: 0100000A:E295 0700000A:01BB 01 00000000:00000000 00:00000000 00000000     0        0 "
    "1007 1 "
    "0000000000000000 20 4 30 10 -1\n"
    "   8: 0100000A:E296 0700000A:D753 01 00000000:00000000 00:00000000 00000000     0        0 "
    "1008 1 "
    "0000000000000000 20 4 30 10 -1\n";

class Gluster : public ::testing::Test {
 protected:
  Gluster() {
    tree_->files["net/tcp"] = kGluster10;
    const auto options = TcpOptions{.interval = seconds(1), .max_interval = seconds(1)};
    collector_ = std::make_unique<TcpCollector>(
        options,
        OpenProcTcpSource({.ports = Normalise(kFileSystemPorts)},
                          std::make_unique<testing::MapFiles>(tree_)),
        BrickPorts(std::make_unique<testing::MapFiles>(tree_)),
        [this](LogLevel, std::string_view text) { log_ += std::string(text) + "\n"; });
  }
  void AddBrick(const std::string& process, const std::string& port) {
    tree_->files[process + "/comm"] = "glusterfsd\n";
    tree_->files[process + "/cmdline"] =
        std::string("glusterfsd\0--brick-port\0", 24) + port + std::string(1, '\0');
  }

  std::shared_ptr<testing::FileTree> tree_ = std::make_shared<testing::FileTree>();
  std::string log_;
  std::unique_ptr<TcpCollector> collector_;
};

TEST_F(Gluster, WithoutThePortsOfItsBricksIsTold) {
  for (int i = 0; i < 3; ++i) {
    const auto page = Page(*collector_, At(seconds(i)));
    EXPECT_EQ(page.at("tcp_glusterfs_lacks_bricks"), 1);
    EXPECT_EQ(page.at("tcp_sockets"), 1) << "the one of the management port";
  }
  EXPECT_EQ(log_.find("24007"), log_.rfind("24007")) << log_;
  EXPECT_THAT(log_, HasSubstr("glusterfsd"));
}

TEST_F(Gluster, OnlyListeningPortsOfItsProcessesCount) {
  AddBrick("100", "55123");
  AddBrick("101", "58004");
  AddBrick("102", "58005");  // where it does not listen (any more)
  (void)Page(*collector_, At(seconds(0)));
  const auto page = Page(*collector_, At(seconds(1)));
  EXPECT_EQ(page.at("tcp_glusterfs_lacks_bricks"), 0);
  EXPECT_EQ(page.at("tcp_sockets"), 4) << "not 10.0.0.7's, of which one is a brick's port there";
  EXPECT_EQ(page.at(R"(tcp_peer_sockets{local_address="10.0.0.1",peer="10.0.0.5",side="server"})"),
            3);
  EXPECT_EQ(page.at(R"(tcp_peer_sockets{local_address="10.0.0.1",peer="10.0.0.6",side="server"})"),
            1);
  EXPECT_EQ(log_, "");
}

TEST(Tcp, WithoutAGlusterFsNothingIsSaidOfBricks) {
  Kernel kernel;
  kernel.sockets.sockets = {Nfs(1, 1, 0)};
  const auto tree = std::make_shared<testing::FileTree>();
  TcpCollector collector({}, std::make_unique<FakeSource>(kernel),
                         BrickPorts(std::make_unique<testing::MapFiles>(tree)));
  EXPECT_FALSE(Page(collector, At(seconds(0))).contains("tcp_glusterfs_lacks_bricks"));
  EXPECT_TRUE(kernel.ports.empty());
}

}  // namespace
}  // namespace limpet::tcp_test
