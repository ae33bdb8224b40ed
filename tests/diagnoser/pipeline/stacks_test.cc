// Servers whose bytes pass through several layers: bonds, VLANs, bridges and pods, volumes over
// disks, paths, memory; InfiniBand ports beside or below interfaces. Healthy servers are named for
// none of it, and a server that sends to strangers still is.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "diagnoser/pipeline/pipeline.h"

namespace limpet::stacks_test {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

constexpr std::int64_t kStart = 1'700'000'000;
constexpr std::size_t kServers = 6;

// A device that carries `share` of what its server does. Text before the name: its stack series.
struct Part {
  std::string device;
  double share = 1;
  std::string stack = {};  // kind, then names of lower ones: "bond eno1 eno2"
};
struct Layout {
  std::vector<Part> interfaces = {{"eth0"}};
  std::vector<Part> disks = {{"sda"}};
  std::vector<Part> ports = {};  // of InfiniBand: "mlx5_0/1"
};

// Cumulative work of one server.
struct Totals {
  double read = 0;
  double written = 0;
  double received = 0;
  double sent = 0;
};

// Some number from -1 to 1, the same for the same.
double Noise(std::size_t server, std::int64_t second, int what) {
  const double seed =
      static_cast<double>(server) * 12.9898 + static_cast<double>(second) * 78.233 + what * 37.719;
  const double far = std::sin(seed) * 43758.5453;
  return 2 * (far - std::floor(far)) - 1;
}

class Servers {
 public:
  Servers(std::vector<Layout> layouts, std::string prefix)
      : layouts_(std::move(layouts)), prefix_(std::move(prefix)) {
    auto preset = DefaultPreset();
    preset.smoothing = 1;
    preset.window = 20;
    preset.shift = 10;
    preset.k = 2;
    preset.balance = true;
    PipelineConfig config;
    config.presets = {preset};
    config.groups = {{.name = "disks", .kind = GroupKind::kStorage},
                     {.name = "network", .kind = GroupKind::kNetwork}};
    pipeline_ = std::make_unique<Pipeline>(std::move(config));
  }

  // Names of those who got a verdict.
  std::set<std::string> Run(const std::vector<double>& loads,
                            double sent_to_strangers_by_last = 0) {
    std::set<std::string> named;
    for (std::int64_t second = 0; second < 120; ++second) {
      for (std::size_t server = 0; server < kServers; ++server) {
        const double load = server < loads.size() ? loads[server] : 1;
        Work(server, second, load, server + 1 == kServers ? sent_to_strangers_by_last : 0);
        const auto node = fmt::format("io{:02}", server + 1);
        const auto page = Page(server);
        const auto at = UnixFromSeconds(kStart + second);
        EXPECT_TRUE(pipeline_->Ingest(
            {.source = node, .node = node, .role = "io", .labels = {}, .at = at, .text = page}));
      }
      for (const auto& event : pipeline_->Advance(UnixFromSeconds(kStart + second))) {
        if (const auto* verdict = std::get_if<VerdictEvent>(&event)) {
          named.insert(verdict->node + " " + std::string(Name(verdict->cause)));
        }
      }
    }
    return named;
  }

 private:
  void Work(std::size_t server, std::int64_t second, double load, double strangers) {
    auto& totals = totals_[server];
    const double read = load * 20e6 * (1 + 0.2 * Noise(server, second, 1));
    const double written = load * 12e6 * (1 + 0.2 * Noise(server, second, 2));
    totals.read += read;
    totals.written += written;
    totals.sent += read * 1.02 + strangers;
    totals.received += written * 1.02 + 0.02 * strangers;
  }

  [[nodiscard]] std::string Page(std::size_t server) const {
    const auto& layout = layouts_[std::min(server, layouts_.size() - 1)];
    const auto& totals = totals_[server];
    std::string page;
    for (const auto& part : layout.disks) {
      AddDisk(part, totals, page);
      AddStack("disk", part, page);
    }
    for (const auto& part : layout.interfaces) {
      AddLink("network_receive_bytes_total", "network_transmit_bytes_total",
              "network_receive_packets_total", "network_transmit_packets_total",
              fmt::format("device=\"{}\"", part.device), part.share, totals, page);
      AddStack("network", part, page);
    }
    for (const auto& part : layout.ports) {
      const auto slash = part.device.find('/');
      AddLink("infiniband_port_data_received_bytes_total",
              "infiniband_port_data_transmitted_bytes_total",
              "infiniband_port_packets_received_total", "infiniband_port_packets_transmitted_total",
              fmt::format("device=\"{}\",port=\"{}\"", part.device.substr(0, slash),
                          part.device.substr(slash + 1)),
              part.share, totals, page);
    }
    return page;
  }

  void AddDisk(const Part& part, const Totals& totals, std::string& page) const {
    const double read = part.share * totals.read;
    const double written = part.share * totals.written;
    const std::pair<const char*, double> series[] = {
        {"reads_completed_total", read / 131072},
        {"writes_completed_total", written / 131072},
        {"read_bytes_total", read},
        {"written_bytes_total", written},
        {"read_time_seconds_total", read / 131072 * 0.005},
        {"write_time_seconds_total", written / 131072 * 0.005},
        {"io_time_seconds_total", (read + written) / 131072 * 0.002},
        {"io_time_weighted_seconds_total", (read + written) / 131072 * 0.005}};
    for (const auto& [name, value] : series) {
      page += fmt::format("{}disk_{}{{device=\"{}\"}} {:.6f}\n", prefix_, name, part.device, value);
    }
  }

  void AddLink(const char* received, const char* sent, const char* received_packets,
               const char* sent_packets, const std::string& labels, double share,
               const Totals& totals, std::string& page) const {
    page += fmt::format("{}{}{{{}}} {:.0f}\n", prefix_, received, labels, share * totals.received);
    page += fmt::format("{}{}{{{}}} {:.0f}\n", prefix_, sent, labels, share * totals.sent);
    page += fmt::format("{}{}{{{}}} {:.0f}\n", prefix_, received_packets, labels,
                        share * totals.received / 1448);
    page += fmt::format("{}{}{{{}}} {:.0f}\n", prefix_, sent_packets, labels,
                        share * totals.sent / 1448);
  }

  void AddStack(const char* family, const Part& part, std::string& page) const {
    const auto blank = part.stack.find(' ');
    const auto kind = part.stack.substr(0, blank);
    auto rest = blank == std::string::npos ? "" : part.stack.substr(blank + 1);
    while (!kind.empty()) {
      const auto lower = rest.substr(0, rest.find(' '));
      page += fmt::format("{}{}_stack_info{{device=\"{}\",kind=\"{}\",lower=\"{}\"}} 1\n", prefix_,
                          family, part.device, kind, lower);
      if (lower.size() == rest.size()) {
        return;
      }
      rest = rest.substr(lower.size() + 1);
    }
  }

  std::vector<Layout> layouts_;
  std::string prefix_;
  std::array<Totals, kServers> totals_{};
  std::unique_ptr<Pipeline> pipeline_;
};

// Five plain servers and one that is laid out like this.
std::vector<Layout> AtTheLast(const Layout& layout) {
  std::vector<Layout> layouts(kServers);
  layouts.back() = layout;
  return layouts;
}

struct Case {
  const char* name;
  std::vector<Layout> layouts;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

std::vector<Case> Cases() {
  const Layout bond{.interfaces = {{"eno1", 0.6}, {"eno2", 0.4}, {"bond0"}, {"bond0.100", 0.97}}};
  const Layout told{.interfaces = {{"lan1", 0.6, "hardware"},
                                   {"lan2", 0.4, "hardware"},
                                   {"data", 1, "bond lan1 lan2"},
                                   {"store", 0.97, "vlan data"}}};
  const Layout untold{.interfaces = {{"lan1", 0.6}, {"lan2", 0.4}, {"data"}, {"store", 0.97}}};
  const Layout bridge{.interfaces = {{"eth0"}, {"br0"}}};
  const Layout pods{
      .interfaces = {
          {"eth0"}, {"cni0"}, {"veth1a", 0.5}, {"veth2b", 0.5}, {"cali0123456789a", 0.9}}};
  const Layout dm{.disks = {{"sda"}, {"dm-0"}}};
  const Layout lvm{.disks = {{"sda", 0.5}, {"sdb", 0.5}, {"md0"}, {"dm-0", 0.3}, {"dm-1", 0.7}}};
  const Layout multipath{
      .disks = {{"sda", 0.25}, {"sdb", 0.25}, {"sdc", 0.25}, {"sdd", 0.25}, {"dm-0"}}};
  const Layout power{.disks = {{"sda", 0.5}, {"sdb", 0.5}, {"emcpowera"}}};
  const Layout paths{.disks = {{"nvme0n1"}, {"nvme0c0n1", 0.6}, {"nvme0c1n1", 0.4}}};
  const Layout zram{.disks = {{"sda"}, {"zram0", 0.5}}};
  const Layout partitions{.disks = {{"sda"}, {"sda1"}, {"mmcblk0p1", 0}}};
  const Layout ipoib{.interfaces = {{"eth0", 0}, {"ib0"}}, .ports = {{"mlx5_0/1"}}};
  const Layout rdma{.interfaces = {{"eth0", 0.01}},
                    .ports = {{"mlx5_0/1", 0.6}, {"mlx5_1/1", 0.4}}};
  return {{"BondAndVlan", AtTheLast(bond)},
          {"BondAndVlanOnAll", {bond}},
          {"BondThatTheExporterTells", AtTheLast(told)},
          {"BondThatNobodyTells", AtTheLast(untold)},
          {"Bridge", AtTheLast(bridge)},
          {"Pods", AtTheLast(pods)},
          {"VolumeOverADisk", AtTheLast(dm)},
          {"LvmOverMdOverTwoDisks", AtTheLast(lvm)},
          {"Multipath", AtTheLast(multipath)},
          {"MultipathOfAnotherName", AtTheLast(power)},
          {"NvmePaths", AtTheLast(paths)},
          {"Zram", AtTheLast(zram)},
          {"Partitions", AtTheLast(partitions)},
          {"Ipoib", AtTheLast(ipoib)},
          {"RdmaOnAll", {rdma}}};
}

class StacksTest : public ::testing::TestWithParam<std::tuple<Case, const char*>> {
 protected:
  [[nodiscard]] Servers Make() const {
    return {std::get<0>(GetParam()).layouts, std::get<1>(GetParam())};
  }
};

TEST_P(StacksTest, HealthyServersAreNotNamed) { EXPECT_THAT(Make().Run({}), IsEmpty()); }

TEST_P(StacksTest, NorOneWithHalfAsMuchLoadAgain) {
  EXPECT_THAT(Make().Run({1, 1, 1, 1, 1, 1.5}), IsEmpty());
}

TEST_P(StacksTest, AServerThatSendsToStrangersIsNamed) {
  EXPECT_THAT(Make().Run({}, 30e6), Contains("io06 network-hog"));
}

INSTANTIATE_TEST_SUITE_P(Layouts, StacksTest,
                         ::testing::Combine(::testing::ValuesIn(Cases()),
                                            ::testing::Values("limpet_", "node_")),
                         [](const auto& one) {
                           return std::string(std::get<0>(one.param).name) +
                                  (std::get<1>(one.param)[0] == 'n' ? "ByNodeExporter" : "");
                         });

}  // namespace
}  // namespace limpet::stacks_test
