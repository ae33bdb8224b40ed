#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tests/simulator/hardware_parts.h"

namespace limpet::simulator {
namespace {

constexpr double kBoot = 1'699'000'000;
constexpr double kTera = 1e12;
constexpr double kPacketBytes = 1448;
constexpr std::array<std::string_view, 8> kSeries = {
    "reads_completed_total", "writes_completed_total",        "read_bytes_total",
    "written_bytes_total",   "read_time_seconds_total",       "write_time_seconds_total",
    "io_time_seconds_total", "io_time_weighted_seconds_total"};
constexpr std::size_t kBusy = 6;

bool Holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

class Writer {
 public:
  Writer(const HardServer& server, const HardPage& page) : server_(server), page_(page) {}

  std::string Write() {
    Add("{}_boot_time_seconds {}\n", Prefix(), kBoot + static_cast<double>(page_.number));
    for (const auto& disk : server_.disks) {
      AddDisk(disk);
    }
    for (const auto& layer : server_.layers) {
      AddLayer(layer);
    }
    for (const auto& link : server_.links) {
      AddLink(link);
    }
    for (const auto& port : server_.ports) {
      AddPort(port);
    }
    return std::move(text_);
  }

 private:
  [[nodiscard]] const char* Prefix() const { return page_.node_exporter ? "node" : "limpet"; }

  template <class... Values>
  void Add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }

  // Whole bytes of sectors and milliseconds, as the kernel counts them.
  void AddTotals(const std::string& name, const DiskTotals& totals) {
    for (std::size_t i = 0; i < totals.size(); ++i) {
      Add("{}_disk_{}{{device=\"{}\"}} {}\n", Prefix(), kSeries[i], name,
          std::floor(totals[i] * 1000) / 1000);
    }
  }

  void AddStack(const char* family, const std::string& name, const std::string& kind,
                std::vector<std::string> lowers) {
    if (page_.node_exporter) {
      return;
    }
    lowers.resize(std::max<std::size_t>(lowers.size(), 1));
    for (const auto& lower : lowers) {
      Add("limpet_{}_stack_info{{device=\"{}\",kind=\"{}\",lower=\"{}\"}} 1\n", family, name, kind,
          lower);
    }
  }

  void AddMount(const std::string& source, const std::string& mount, double size) {
    if (page_.facts && !mount.empty()) {
      Add("{}_filesystem_size_bytes{{device=\"/dev/{}\",fstype=\"xfs\",mountpoint=\"{}\"}} {}\n",
          Prefix(), source, mount, size);
    }
  }

  void AddInfo(const HardDisk& disk) {
    const bool nvme = disk.name.starts_with("nvme");
    const bool virtual_disk = disk.name.starts_with("vd") || disk.name.starts_with("xvd");
    const bool rotates = disk.media->name == "hdd" || virtual_disk;
    const auto* const model = virtual_disk                ? ""
                              : disk.media->name == "hdd" ? "ST8000NM0055"
                              : nvme                      ? "SAMSUNG MZQL2"
                                                          : "MZ7LH480";
    const auto wwn = virtual_disk ? "" : (nvme ? "eui." : "naa.5000") + disk.id;
    const auto serial = virtual_disk ? "" : "S" + disk.id;
    if (page_.node_exporter) {
      // As Debian 12's, 1.5: whether a disk rotates is told of ATA disks, in a series of its own.
      Add("node_disk_info{{device=\"{}\",major=\"8\",minor=\"0\",model=\"{}\",path=\"pci-0000:00:"
          "1f.2-ata-1\",revision=\"1\",serial=\"{}\",wwn=\"{}\"}} 1\n",
          disk.name, model, serial, wwn);
      if (!nvme && !virtual_disk) {
        Add("node_disk_ata_rotation_rate_rpm{{device=\"{}\"}} {}\n", disk.name, rotates ? 7200 : 0);
      }
    } else {
      Add("limpet_disk_info{{device=\"{}\",wwn=\"{}\",serial=\"{}\",model=\"{}\",rotational=\"{}\","
          "size=\"{:.0f}\",mountpoint=\"\",fstype=\"\"}} 1\n",
          disk.name, wwn, serial, model, rotates ? 1 : 0, disk.terabytes * kTera);
    }
  }

  void AddDisk(const HardDisk& disk) {
    AddTotals(disk.name, disk.totals);
    AddStack("disk", disk.name, "hardware", {});
    if (page_.facts) {
      AddInfo(disk);
    }
    const bool is_layered = std::ranges::any_of(
        server_.layers, [&](const auto& layer) { return Holds(layer.lowers, disk.name); });
    if (!is_layered) {
      AddMount(disk.name + (disk.name.starts_with("nvme") ? "p1" : "1"),
               disk.HasSystem()      ? "/"
               : disk.use == "spare" ? ""
                                     : "/srv/" + disk.name,
               disk.terabytes * kTera * 0.99);
    }
  }

  void AddLayer(const HardLayer& layer) {
    DiskTotals sum{};
    double size = 0;
    const auto below = FindBelow(layer.lowers, server_.layers);
    for (const auto& disk : server_.disks) {
      if (Holds(below, disk.name)) {
        for (std::size_t i = 0; i < sum.size(); ++i) {
          sum[i] += disk.totals[i];
        }
        size += disk.terabytes * kTera;
      }
    }
    sum[kBusy] = layer.busy;
    AddTotals(layer.name, sum);
    AddStack("disk", layer.name, layer.kind, layer.lowers);
    const bool mapped = layer.name.starts_with("dm-");
    if (page_.facts && page_.node_exporter && mapped) {
      Add("node_disk_device_mapper_info{{device=\"{0}\",lv_layer=\"\",lv_name=\"{0}\",name=\"vg-{0}"
          "\",uuid=\"{1}-{0}\",vg_name=\"vg\"}} 1\n",
          layer.name, layer.kind == "multipath" ? "mpath" : "LVM");
    }
    if (page_.facts && !page_.node_exporter) {
      Add("limpet_disk_info{{device=\"{}\",wwn=\"\",serial=\"\",model=\"\",rotational=\"1\",size=\""
          "{:.0f}\",mountpoint=\"{}\",fstype=\"{}\"}} 1\n",
          layer.name, size, layer.mount, layer.mount.empty() ? "" : "xfs");
    }
    AddMount(mapped ? "mapper/vg-" + layer.name : layer.name, layer.mount, size * 0.98);
  }

  void AddLink(const HardLink& link) {
    double received = link.received;
    double sent = link.sent;
    const auto below = FindBelow(link.lowers, server_.links);
    for (const auto* list : {&server_.links, &server_.ports}) {
      for (const auto& other : *list) {
        if (Holds(below, other.name)) {
          received += other.received;
          sent += other.sent;
        }
      }
    }
    if (link.kind == "virtual") {  // what a pod and the host say to each other
      received = sent = 1500 * page_.second;
    }
    for (const auto& [what, bytes] : {std::pair("receive", received), {"transmit", sent}}) {
      Add("{0}_network_{1}_bytes_total{{device=\"{2}\"}} {3:.0f}\n"
          "{0}_network_{1}_packets_total{{device=\"{2}\"}} {4:.0f}\n",
          Prefix(), what, link.name, bytes, bytes / kPacketBytes);
    }
    AddStack("network", link.name, link.kind, link.lowers);
    if (page_.node_exporter && link.kind == "bond") {
      Add("node_bonding_slaves{{master=\"{}\"}} {}\n", link.name, link.lowers.size());
    }
  }

  void AddPort(const HardLink& port) {
    const auto slash = port.name.find('/');
    for (const auto& [what, bytes] :
         {std::pair("received", port.received), {"transmitted", port.sent}}) {
      Add("{}_infiniband_port_data_{}_bytes_total{{device=\"{}\",port=\"{}\"}} {:.0f}\n", Prefix(),
          what, port.name.substr(0, slash), port.name.substr(slash + 1), bytes);
    }
  }

  const HardServer& server_;
  HardPage page_;
  std::string text_;
};

}  // namespace

std::string RenderHardware(const HardServer& server, const HardPage& page) {
  return Writer(server, page).Write();
}

}  // namespace limpet::simulator
