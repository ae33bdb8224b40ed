#include "diagnoser/evidence/groups/disk_loads.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <functional>

namespace limpet::disk_loads_test {
namespace {

constexpr std::int64_t kStart = 1'700'000'000;

UnixTime At(std::int64_t second) { return UnixFromSeconds(kStart + second); }

// Four servers with sda and sdb, that move so many bytes a second.
class DiskLoadsTest : public ::testing::Test {
 protected:
  using Bytes = std::function<double(const std::string& disk)>;

  DiskLoadsTest() {
    for (int server = 0; server < 4; ++server) {
      for (const char* const device : {"sda", "sdb"}) {
        Add(fmt::format("io{}", server), device);
      }
    }
  }

  void Add(const std::string& node, const std::string& device) {
    disks_.emplace(node + "/" + device,
                   *directory_.Resolve({.kind = EntityKind::kDisk, .index = 0},
                                       {{"device", device}}, {.node = node, .role = "server"}));
  }

  void Run(std::int64_t from, std::int64_t to, const Bytes& bytes) {
    for (auto second = from; second < to; ++second) {
      for (const auto& [name, disk] : disks_) {
        done_[name] += bytes(name);
        for (std::uint8_t i = 0; i < kDiskCounters; ++i) {
          (void)readings_.Add({.kind = EntityKind::kDisk, .index = i}, disk, At(second),
                              i == Index(DiskCounter::kReadBytes) ? done_[name] : 0);
        }
      }
      if (second % 4 == 0) {
        loads_.Look(At(second), config_, 0, readings_, facts_, directory_);
      }
    }
  }

  [[nodiscard]] std::string Load(const std::string& disk) const {
    const auto& labels = directory_.Entities(EntityKind::kDisk)[disks_.at(disk)].labels;
    const auto load = labels.find(kLoadLabel);
    return load == labels.end() ? "" : load->second;
  }

  PipelineConfig config_ = [] {
    PipelineConfig config;
    config.groups = WithKinds({{.name = "server-disks", .by_kind = true}});
    return config;
  }();
  Directory directory_{std::vector<Rule>{*Rule::Compile(config_.groups[0])}};
  Readings readings_{std::vector<GridSpec>(1)};
  FactReadings facts_;
  DiskLoads loads_;
  std::map<std::string, std::uint32_t> disks_;
  std::map<std::string, double> done_;
};

double Usual(const std::string& disk) { return disk.ends_with("sda") ? 1e4 : 2e7; }

TEST_F(DiskLoadsTest, ATenthOfTheBusiestIsQuiet) {
  Run(0, 40, Usual);
  EXPECT_EQ(Load("io0/sda"), kQuietLoad);
  EXPECT_EQ(Load("io3/sdb"), kBusyLoad);
}

TEST_F(DiskLoadsTest, WhereNothingIsDoneNobodyKnows) {
  Run(0, 100, [](const std::string& disk) { return Usual(disk) / 100; });
  EXPECT_EQ(Load("io0/sda"), "");
  EXPECT_EQ(Load("io0/sdb"), "");
}

TEST_F(DiskLoadsTest, AServerWithLittleToDoHasBusyDisksToo) {
  Run(0, 40, [](const std::string& disk) {
    return disk.starts_with("io2") ? Usual(disk) / 30 : Usual(disk);
  });
  EXPECT_EQ(Load("io2/sdb"), kBusyLoad);
}

TEST_F(DiskLoadsTest, OnceBusyForGood) {
  Run(0, 40, Usual);
  Run(40, 400, [](const std::string& disk) { return disk == "io1/sdb" ? 100 : Usual(disk); });
  EXPECT_EQ(Load("io1/sdb"), kBusyLoad);
}

TEST_F(DiskLoadsTest, ASpareIsBusyAfterAMinuteAndASystemDiskIsNot) {
  Add("io1", "sdc");
  const auto idle = [](const std::string& disk) { return disk == "io1/sdc" ? 0 : Usual(disk); };
  Run(0, 100, idle);
  EXPECT_EQ(Load("io1/sdc"), kQuietLoad);
  const auto works = [](const std::string& disk) {
    return disk == "io1/sdc" || disk == "io1/sda" ? 2e7 : Usual(disk);
  };
  Run(100, 130, works);
  EXPECT_EQ(Load("io1/sdc"), kQuietLoad);
  Run(130, 200, works);
  EXPECT_EQ(Load("io1/sdc"), kBusyLoad);
  EXPECT_EQ(Load("io1/sda"), kQuietLoad) << "one of a kind of quiet disks";
  Run(200, 800, works);
  EXPECT_EQ(Load("io1/sda"), kBusyLoad);
}

TEST_F(DiskLoadsTest, FileSystemsAreToldByTheirDisks) {
  const std::array<std::array<std::string, 3>, 4> mounts = {
      {{"/dev/sda1", "/boot", "5e8"},
       {"/dev/sda2", "/", "5e10"},
       {"/dev/sdb1", "/srv/ost", "4e12"},
       {"/dev/mapper/vg-home", "/home", "1e9"}}};
  Run(0, 10, Usual);
  for (const auto& [device, mountpoint, size] : mounts) {
    const auto series = facts_.Resolve({.field = *FindField("node_filesystem_size_bytes"),
                                        .labels = {{"device", device}, {"mountpoint", mountpoint}},
                                        .source = {.node = "io2", .role = "server", .labels = {}},
                                        .target = "io2"});
    ASSERT_TRUE(series);
    facts_.Add(*series, At(9), std::stod(size));
  }
  Run(10, 40, Usual);
  const auto label = [&](const std::string& disk, std::string_view name) {
    const auto& labels = directory_.Entities(EntityKind::kDisk)[disks_.at(disk)].labels;
    const auto found = labels.find(name);
    return found == labels.end() ? "" : found->second;
  };
  EXPECT_EQ(label("io2/sda", kMountedLabel), "/");
  EXPECT_EQ(label("io2/sda", kMountedSizeLabel), "50500000000");
  EXPECT_EQ(label("io2/sdb", kMountedLabel), "/srv/ost");
  EXPECT_EQ(label("io1/sda", kMountedLabel), "");
}

}  // namespace
}  // namespace limpet::disk_loads_test
