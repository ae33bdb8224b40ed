// Whatever one device's files do, the series of the others are the same to the byte.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "exporter/collectors/all.h"
#include "exporter/collectors/facts.h"
#include "exporter/common/exposition/writer.h"
#include "exporter/common/text.h"
#include "exporter/sampler/pass.h"
#include "tests/support/map_files.h"
#include "tests/support/property.h"

namespace limpet::sick_device_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::FileTree;
using testing::MapFiles;

constexpr SteadyTime kStart{std::chrono::hours(1)};

// What a device has: its folder, and the labels by which its series are known.
struct Device {
  std::string folder;
  std::string label;
};
const std::array kDevices = {
    Device{"class/block/sda/", R"(device="sda")"},
    Device{"class/block/sdb/", R"(device="sdb")"},
    Device{"class/nvme/nvme0/", R"(device="nvme0")"},
    Device{"class/nvme/nvme1/", R"(device="nvme1")"},
    Device{"class/net/eth0/", R"(device="eth0")"},
    Device{"class/net/eth1/", R"(device="eth1")"},
    Device{"devices/system/cpu/cpu1/", R"(package="0")"},
    Device{"devices/system/cpu/cpu2/", R"(package="1")"},
    Device{"devices/system/edac/mc/mc0/", R"(controller="0")"},
    Device{"class/infiniband/mlx5_0/", R"(device="mlx5_0")"},
    Device{"class/infiniband/mlx5_1/", R"(device="mlx5_1")"},
    Device{"class/block/md0/", R"(device="md0")"},
    Device{"class/block/nvme0c0n1/", R"(device="nvme0c0n1")"},
    Device{"fs/ext4/sda/", R"(device="sda")"},
    Device{"fs/btrfs/aaaa/", R"(device="btrfs/aaaa")"},
};

const std::string kBytesOfGroup = "fs/cgroup/backup.service/io.stat";

std::shared_ptr<FileTree> Proc() {
  auto proc = std::make_shared<FileTree>();
  proc->files = {
      {"diskstats",
       "8 0 sda 9 0 8 7 6 0 5 4 0 3 2 1 1 1 1 1 1\n8 16 sdb 5 0 4 3 2 0 1 9 0 8 7 1 1 1 1 1 1\n"},
      {"net/dev",
       "eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"
       "eth1: 9 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n"},
      {"stat", "cpu  500 100 250 4000 50 1 2 3 0 0\nbtime 1700000000\n"},
      {"1/mountinfo", "27 1 8:0 / /a rw - ext4 /dev/sda rw\n28 1 8:16 / /b rw - xfs /dev/sdb rw\n"},
      {"sys/kernel/osrelease", "6.1.0\n"}};
  return proc;
}

void AddDisk(FileTree& sys, const std::string& disk) {
  const auto folder = "class/block/" + disk + "/";
  sys.files[folder + "uevent"] = "DEVNAME=" + disk + "\n";
  sys.files[folder + "device/wwid"] = "naa.5000c500a1b2c3" + disk + "\n";
  sys.files[folder + "device/model"] = "ST4000\n";
  sys.files[folder + "device/queue_depth"] = "32\n";
  sys.files[folder + "queue/rotational"] = "1\n";
  sys.files[folder + "queue/scheduler"] = "[none] bfq\n";
  sys.files[folder + "queue/iostats"] = "1\n";
  sys.files[folder + "device/state"] = "running\n";
  sys.files["fs/ext4/" + disk + "/errors_count"] = "3\n";
  for (const auto* count : {"iorequest_cnt", "iodone_cnt", "ioerr_cnt", "iotmo_cnt"}) {
    sys.files[folder + "device/" + count] = "0x1f4\n";
  }
}

void AddController(FileTree& sys, const std::string& name) {
  const auto folder = "class/nvme/" + name + "/";
  sys.files[folder + "state"] = "live\n";
  sys.files[folder + "device/aer_dev_fatal"] = "TOTAL_ERR_FATAL 1\n";
  sys.files[folder + "device/current_link_speed"] = "16.0 GT/s PCIe\n";
  sys.files[folder + "device/max_link_width"] = "4\n";
}

void AddInterface(FileTree& sys, const std::string& name) {
  const auto folder = "class/net/" + name + "/";
  sys.files[folder + "speed"] = "10000\n";
  sys.files[folder + "carrier_changes"] = "3\n";
  sys.files[folder + "statistics/rx_crc_errors"] = "2\n";
  sys.files[folder + "device/uevent"] = "DRIVER=ixgbe\n";
  sys.files[folder + "device/current_link_width"] = "8\n";
  sys.files[folder + "operstate"] = "up\n";
  sys.files[folder + "duplex"] = "full\n";
  sys.files[folder + "bonding_slave/state"] = "active\n";
  sys.files[folder + "bonding_slave/mii_status"] = "up\n";
  sys.files[folder + "bonding_slave/link_failure_count"] = "1\n";
}

// Arrays, paths, file systems.
void AddLayers(FileTree& sys) {
  for (const std::string array : {"md0", "md1"}) {
    const auto folder = "class/block/" + array + "/md/";
    sys.files[folder + "array_state"] = "clean\n";
    sys.files[folder + "sync_action"] = "idle\n";
    sys.files[folder + "degraded"] = "0\n";
    sys.files[folder + "dev-sdx/state"] = "in_sync\n";
    sys.files[folder + "dev-sdy/state"] = "faulty\n";
  }
  for (const std::string path : {"nvme0c0n1", "nvme0c1n1"}) {
    sys.files["class/block/" + path + "/ana_state"] = "optimized\n";
  }
  for (const std::string id : {"aaaa", "bbbb"}) {
    sys.files["fs/btrfs/" + id + "/devinfo/1/error_stats"] = "write_errs 1\nread_errs 2\n";
  }
}

void AddProcessor(FileTree& sys, int number) {
  const auto folder = "devices/system/cpu/cpu" + std::to_string(number) + "/";
  sys.files[folder + "thermal_throttle/core_throttle_count"] = std::to_string(100 - number) + "\n";
  sys.files[folder + "thermal_throttle/package_throttle_count"] = "500\n";
  sys.files[folder + "topology/physical_package_id"] = std::to_string(number / 2) + "\n";
  sys.files[folder + "topology/core_id"] = std::to_string(number % 2) + "\n";
}

void AddPort(FileTree& sys, const std::string& device) {
  const auto folder = "class/infiniband/" + device + "/ports/1/";
  for (const auto* count : {"port_rcv_data", "port_xmit_data", "symbol_error"}) {
    sys.files[folder + "counters/" + count] = "77\n";
  }
  sys.files[folder + "state"] = "4: ACTIVE\n";
}

std::shared_ptr<FileTree> Sys() {
  auto sys = std::make_shared<FileTree>();
  sys->files["fs/cgroup/cgroup.controllers"] = "io\n";
  sys->files[kBytesOfGroup] = "";
  for (const auto* disk : {"sda", "sdb"}) {
    AddDisk(*sys, disk);
  }
  for (const auto* name : {"nvme0", "nvme1"}) {
    AddController(*sys, name);
  }
  for (const auto* name : {"eth0", "eth1"}) {
    AddInterface(*sys, name);
  }
  AddLayers(*sys);
  for (const auto* name : {"mlx5_0", "mlx5_1"}) {
    AddPort(*sys, name);
  }
  for (int number = 0; number < 4; ++number) {
    AddProcessor(*sys, number);
  }
  for (const std::string controller : {"mc0", "mc1"}) {
    sys->files["devices/system/edac/mc/" + controller + "/ce_count"] = "5\n";
    sys->files["devices/system/edac/mc/" + controller + "/ue_count"] = "0\n";
  }
  return sys;
}

// The exporter's collectors of devices, as they are shipped, and their pages.
class Machine {
 public:
  explicit Machine(std::shared_ptr<FileTree> sys)
      : sys_(std::move(sys)), passes_(Collectors(), seconds(1)) {}
  ~Machine() { sys_->Release(); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // The lines of the page so much later, but for those that name the device.
  std::string After(Duration time, const Device& without) {
    now_ += time;
    // A group reads 5 MB a second of each disk.
    sys_->files[kBytesOfGroup] = fmt::format(
        "8:0 rbytes={0} wbytes=0\n8:16 rbytes={0} wbytes=0\n",
        5000 * std::chrono::duration_cast<milliseconds>(now_.time_since_epoch()).count());
    passes_.Begin({UnixFromSeconds(1'700'000'000), now_});
    while (auto* collector = passes_.StartNext(now_)) {
      auto families = collector->Collect({UnixFromSeconds(1'700'000'000), now_});
      passes_.Finish(families ? std::optional(*std::move(families)) : std::nullopt, now_,
                     !collector->Incomplete());
    }
    const auto page = Render(passes_.End(), Format::kText, {.describe = false});
    std::string others;
    Lines lines(page);
    while (const auto line = lines.Next()) {
      if (line->find(without.label) == std::string_view::npos &&
          line->find(without.folder) == std::string_view::npos) {
        others.append(*line).append("\n");
      }
    }
    return others;
  }

 private:
  std::vector<std::unique_ptr<Collector>> Collectors() {
    CollectorInputs inputs;
    inputs.open = [proc = Proc(), sys = sys_](const std::string& root) {
      return std::make_unique<MapFiles>(root == "/proc" ? proc : sys);
    };
    inputs.log = [](LogLevel, std::string_view) {};
    yaml::Problems problems;
    std::vector<std::unique_ptr<Collector>> collectors;
    for (const auto* module : AllCollectors()) {
      if (module->name == "disk" || module->name == "disk_errors" || module->name == "net" ||
          module->name == "host" || module->name == "infiniband" || module->name == "cgroup") {
        const auto given = yaml::Parse(
            module->name == "cgroup" ? "{refresh: 1s, network: false}" : "{}", "exporter.yml");
        yaml::MapReader settings(&*given, "", problems);
        collectors.push_back(module->configure(settings)(inputs).value());
      }
    }
    collectors.push_back(std::make_unique<FactsCollector>(
        FactsOptions{.first_wait = milliseconds(10)},
        [inputs](auto skipped) {
          return FactSources{.sys = inputs.Sys(),
                             .proc = inputs.Proc(),
                             .disks = DeviceFilter::Make({}, kDefaultDiskExclude).value(),
                             .interfaces = DeviceFilter::Make({}, kDefaultNetExclude).value(),
                             .filesystem =
                                 [](const Mount& mount) {
                                   return Error{ErrorCode::kNotFound, "nothing", mount.mountpoint};
                                 },
                             .skipped = std::move(skipped)};
        },
        inputs.log));
    return collectors;
  }

  std::shared_ptr<FileTree> sys_;
  Passes passes_;
  SteadyTime now_ = kStart;
};

// What a file of a sick device does.
enum class Ailment { kNone, kAbsent, kEmpty, kGarbage, kEnormous, kError };

void MakeSick(FileTree& sys, const std::string& path, Ailment ailment, const std::string& garbage) {
  switch (ailment) {
    case Ailment::kNone:
      break;
    case Ailment::kAbsent:
      sys.files.erase(path);
      break;
    case Ailment::kEmpty:
      sys.files[path] = "";
      break;
    case Ailment::kGarbage:
      sys.files[path] = garbage;
      break;
    case Ailment::kEnormous:
      sys.files[path] = std::string(100'000, garbage.empty() ? '9' : garbage.front());
      break;
    case Ailment::kError:
      sys.errors[path] = ErrorCode::kUnavailable;
      break;
  }
}

// The page of the ninth second, of a machine in which every device is well.
std::string Healthy(const Device& without) {
  Machine machine(Sys());
  std::string page;
  for (int second = 0; second < 9; ++second) {
    page = machine.After(seconds(1), without);
  }
  // A thread of ours may be slow on a busy machine.
  for (int same = 0; same < 20;) {
    std::this_thread::sleep_for(milliseconds(5));
    auto next = machine.After(milliseconds(1), without);
    same = next == page && next.find("kernel_info") != std::string::npos ? same + 1 : 0;
    page = std::move(next);
  }
  return page;
}

// Lines of what the kernel counts.
std::string Counted(const std::string& page) {
  std::string counted;
  Lines lines(page);
  while (const auto line = lines.Next()) {
    for (const auto* name : {"limpet_disk_reads_completed_total", "limpet_disk_io_time",
                             "limpet_network_receive_bytes_total", "limpet_cpu_seconds_total"}) {
      if (line->starts_with(name)) {
        counted.append(*line).append("\n");
      }
    }
  }
  return counted;
}

RC_GTEST_PROP(SickDevice, CostsItsOwnSeriesOnly, ()) {
  const auto& device = kDevices[*rc::gen::inRange<std::size_t>(0, kDevices.size())];
  const auto sys = Sys();
  std::vector<std::string> paths;
  for (const auto& [path, text] : sys->files) {
    if (path.starts_with(device.folder)) {
      paths.push_back(path);
    }
  }
  for (const auto& path : paths) {
    const auto ailment = *rc::gen::inRange(0, 6);
    // A number in the place of a processor's is another processor's: no file says which is wrong.
    const auto garbage = path.find("topology") == std::string::npos
                             ? *rc::gen::arbitrary<std::string>()
                             : std::string("?");
    MakeSick(*sys, path, static_cast<Ailment>(ailment), garbage);
  }
  if (*rc::gen::inRange(0, 10) == 0) {  // each costs a page some 100 ms
    const auto& path = paths[*rc::gen::inRange<std::size_t>(0, paths.size())];
    if (sys->files.contains(path)) {
      sys->hangs.insert(path);
    }
  }
  static std::map<std::string, std::string> healthy;  // by device
  auto& wanted = healthy[device.folder];
  if (wanted.empty()) {
    wanted = Healthy(device);
  }
  Machine machine(sys);
  auto page = machine.After(seconds(1), device);
  RC_ASSERT(Counted(page) == Counted(wanted));  // on the very first page
  for (int second = 1; second < 9; ++second) {
    page = machine.After(seconds(1), device);
  }
  // These seconds are none to a thread of ours on a busy machine: the facts may have left a healthy
  // device behind, which they read again a minute later.
  for (int i = 0; i < 5000 && page != wanted; ++i) {
    std::this_thread::sleep_for(milliseconds(1));
    page = machine.After(milliseconds(20), device);
  }
  RC_ASSERT(page == wanted);
}

}  // namespace
}  // namespace limpet::sick_device_test
