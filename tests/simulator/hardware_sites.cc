#include <utility>

#include "tests/simulator/hardware.h"

namespace limpet::simulator {
namespace {

// All servers are alike, or have these in turn.
void Add(std::vector<Site>& sites, const std::string& name, std::vector<ServerText> servers) {
  sites.push_back({.name = name, .servers = std::move(servers)});
}

void AddDiskLayouts(std::vector<Site>& sites) {
  Add(sites, "one disk", {{"sda both hdd 8"}});
  Add(sites, "one flash disk of a VM", {{"vda both flash 1"}});
  Add(sites, "one NVMe disk", {{"nvme0n1 both nvme 2"}});
  Add(sites, "system and data", {{"sda system flash 0.48; sdb data hdd 8"}});
  Add(sites, "system and data of one model", {{"sda system hdd 8; sdb data hdd 8"}});
  Add(sites, "VM with a data volume", {{"vda system flash 1; vdb data flash 1"}});
  Add(sites, "two data disks", {{"sda data hdd 8; sdb data hdd 8"}});
  Add(sites, "system and two", {{"sda system hdd 8; sdb data hdd 8; sdc data hdd 8"}});
  Add(sites, "twelve", {{"sd[a-l] data hdd 8"}});
  Add(sites, "system and twelve", {{"sda system flash 0.48; sd[b-m] data hdd 8"}});
  Add(sites, "system and 24", {{"sda system flash 0.48; sd[b-y] data hdd 8"}});
  Add(sites, "NVMe system, rotating data", {{"nvme0n1 system nvme 0.5; sd[a-d] data hdd 8"}});
  Add(sites, "NVMe beside rotating data",
      {{"sda system flash 0.48; sd[b-e] data hdd 8; "
        "nvme[0-1]n1 data nvme 2"}});
  Add(sites, "NVMe journals",
      {{"sda system flash 0.48; sd[b-e] data hdd 8; nvme0n1 journal nvme 0.4"}});
  Add(sites, "four NVMe", {{"nvme0n1 system nvme 0.5; nvme[1-4]n1 data nvme 4"}});
  Add(sites, "NVMe whose names differ",
      {{"nvme0n1 system nvme 2; nvme1n1 data nvme 2"},
       {"nvme1n1 system nvme 2; nvme0n1 data nvme 2"}});
  Add(sites, "system disks whose names differ",
      {{"sda system hdd 8; sdb data hdd 8; sdc data hdd 8"},
       {"sdc system hdd 8; sda data hdd 8; sdb data hdd 8"}});
  Add(sites, "root on LVM",
      {{"sda system hdd 8; sdb data hdd 8", "dm-0 dm sda /; dm-1 dm sda [SWAP]"}});
  Add(sites, "root and data on LVM",
      {{"sda system hdd 8; sdb data hdd 8", "dm-0 dm sda /; dm-1 dm sdb /srv"}});
  Add(sites, "LVM over one disk", {{"sda both hdd 8", "dm-0 dm sda /; dm-1 dm sda /srv"}});
  Add(sites, "encrypted data",
      {{"sda system flash 0.48; sd[b-e] data hdd 8",
        "dm-0 dm sdb /d1; dm-1 dm sdc /d2; dm-2 dm sdd /d3; dm-3 dm sde /d4"}});
  Add(sites, "root on md, data on md",
      {{"sda system hdd 8; sdb system hdd 8; sd[c-h] data hdd 8",
        "md0 md sda+sdb /; md1 md sdc+sdd+sde+sdf+sdg+sdh /srv"}});
  Add(sites, "LVM over md",
      {{"sda system hdd 8; sd[b-e] data hdd 8", "md1 md sdb+sdc+sdd+sde; dm-0 dm md1 /srv"}});
  Add(sites, "multipath",
      {{"sda system flash 0.48; sd[b-e] data hdd 8",
        "dm-0 multipath sdb+sdd /srv/a; dm-1 multipath sdc+sde /srv/b"}});
}

void AddNetworkLayouts(std::vector<Site>& sites) {
  const std::string fast = "eno1 0.5; eno2 0.5; bond0 bond eno1+eno2; bond0.100 vlan bond0";
  const std::string pods =
      "ens3 1; cni0 bridge vetha1+vethb2; vetha1 virtual; vethb2 virtual; docker0 virtual; "
      "flannel.1 virtual";
  Add(sites, "bond and VLAN", {{"sda system flash 0.48; sdb data hdd 8", "", fast}});
  Add(sites, "bond at one only",
      {{"sda both hdd 8", "", fast}, {"sda both hdd 8"}, {"sda both hdd 8"}});
  Add(sites, "bridge",
      {{"sda both flash 1", "", "eno1 1; br0 bridge eno1+vnet0; vnet0 virtual; vnet1 virtual"}});
  Add(sites, "pods", {{"sda both flash 1", "", pods}});
  Add(sites, "pods at some", {{"sda both flash 1", "", pods}, {"sda both flash 1"}});
  Add(sites, "InfiniBand beside management",
      {{"sda system flash 0.48; sd[b-e] data hdd 8", "", "eno1 0", "mlx5_0/1 1"}});
  Add(sites, "IPoIB", {{"sda both flash 1", "", "eno1 0; ib0 ipoib mlx5_0/1", "mlx5_0/1 1"}});
  Add(sites, "InfiniBand unseen", {{"sda system flash 0.48; sd[b-e] data hdd 8", "", "eno1 0"}});
  Add(sites, "front and back network", {{"sda both flash 1", "", "eth0 1; eth1 0.4"}});
}

void AddMixtures(std::vector<Site>& sites) {
  const auto add = [&](const std::string& name, std::vector<ServerText> servers, double read = 0.6,
                       bool by_size = false) {
    sites.push_back(
        {.name = name, .servers = std::move(servers), .read = read, .by_size = by_size});
  };
  add("sizes differ in a server",
      {{"sda system flash 0.48; sd[b-c] data hdd 8; sd[d-e] data hdd 16"}}, 0.6, true);
  add("sizes of a half differ",
      {{"sda system flash 0.48; sd[b-c] data hdd 8"},
       {"sda system flash 0.48; sd[b-c] data hdd 16"}},
      0.6, true);
  add("sizes of a half differ a little",
      {{"sda system flash 0.48; sd[b-c] data hdd 8"},
       {"sda system flash 0.48; sd[b-c] data hdd 10"}},
      0.6, true);
  add("a spare at each", {{"sda system flash 0.48; sd[b-c] data hdd 8; sdd spare hdd 8"}});
  add("a spare at one", {{"sda system flash 0.48; sd[b-d] data hdd 8; sde spare hdd 8"},
                         {"sda system flash 0.48; sd[b-d] data hdd 8"},
                         {"sda system flash 0.48; sd[b-d] data hdd 8"}});
  add("a disk more at one", {{"sda system flash 0.48; sd[b-d] data hdd 8"},
                             {"sda system flash 0.48; sd[b-e] data hdd 8"},
                             {"sda system flash 0.48; sd[b-d] data hdd 8"}});
  add("cold disks", {{"sda system flash 0.48; sd[b-c] data hdd 8; sd[d-e] cold hdd 8"}});
  add("writes only", {{"sda system flash 0.48; sd[b-c] data hdd 8"}}, 0.02);
  add("reads only", {{"sda system flash 0.48; sd[b-c] data hdd 8"}}, 0.98);
}

using Change = void (*)(Site& site);
void AddHabit(std::vector<Site>& sites, const std::string& name, const ServerText& server,
              Change change) {
  Site site{.name = name, .servers = {server}};
  change(site);
  sites.push_back(std::move(site));
}

const char* const kPlain = "sda system flash 0.48; sd[b-e] data hdd 8";

// What servers of one layout do.
void AddHabits(std::vector<Site>& sites) {
  const ServerText plain{kPlain};
  AddHabit(sites, "phases", plain, [](Site& site) { site.phases = true; });
  AddHabit(sites, "a wide swing", plain, [](Site& site) { site.swing = 0.9; });
  AddHabit(sites, "uneven disks", plain, [](Site& site) { site.uneven = 0.3; });
  AddHabit(sites, "very uneven disks", plain, [](Site& site) { site.uneven = 0.7; });
  AddHabit(sites, "monitors on two", plain, [](Site& site) { site.log = 1.5e6; });
  AddHabit(sites, "monitors on two, of one model", {"sda system hdd 8; sd[b-e] data hdd 8"},
           [](Site& site) { site.log = 2.5e6; });
  AddHabit(sites, "one disk, monitors on two", {"sda both hdd 8"},
           [](Site& site) { site.log = 2.5e6; });
  AddHabit(sites, "one disk, monitors on three", {"sda both hdd 8"}, [](Site& site) {
    site.log = 4e6;
    site.monitors = 3;
  });
  AddHabit(sites, "one disk, readers on two", {"sda both hdd 8"}, [](Site& site) {
    site.log = 3e6;
    site.log_is_read = true;
  });
  AddHabit(sites, "one disk, a monitor on one, at night", {"sda both hdd 8"}, [](Site& site) {
    site.log = 1.6e6;
    site.monitors = 1;
    site.rate = 0.05;
  });
  AddHabit(sites, "mirrors", {"sd[a-b] data hdd 8", "md0 md sda+sdb /"},
           [](Site& site) { site.legs = true; });
  AddHabit(sites, "mirrors of four", {"sd[a-d] data hdd 8", "md0 md sda+sdb /a; md1 md sdc+sdd /b"},
           [](Site& site) { site.legs = true; });
  AddHabit(sites, "passive paths",
           {"sda system flash 0.48; sd[b-c] data hdd 8; sd[d-e] spare hdd 8",
            "dm-0 multipath sdb+sdd /srv/a; dm-1 multipath sdc+sde /srv/b"},
           [](Site& site) { site.failover = true; });
  AddHabit(sites, "replicas", plain, [](Site& site) { site.passed_on = 2; });
  AddHabit(sites, "monitors on two, at night", plain, [](Site& site) {
    site.log = 1.6e6;
    site.rate = 0.05;
  });
  AddHabit(sites, "monitors on two, at night, root on LVM",
           {"sda system flash 0.48; sd[b-e] data hdd 8", "dm-0 dm sda /"}, [](Site& site) {
             site.log = 1.6e6;
             site.rate = 0.05;
           });
  AddHabit(sites, "one works", {"sda data hdd 8"}, [](Site& site) { site.one_works = true; });
  AddHabit(sites, "caches", plain, [](Site& site) { site.cached = 0.8; });
}

void AddMoreHabits(std::vector<Site>& sites) {
  const ServerText plain{kPlain};
  AddHabit(sites, "bursts of writing back", plain, [](Site& site) {
    site.flush = 20;
    site.read = 0.3;
  });
  AddHabit(sites, "one disk, bursts of writing back", {"vda both hdd 1"}, [](Site& site) {
    site.flush = 20;
    site.read = 0.3;
  });
  const auto count_ticks = [](Site& site) { site.ticks = true; };
  AddHabit(sites, "flash, busy by ticks", {"sda both flash 1"}, count_ticks);
  AddHabit(sites, "four NVMe, busy by ticks", {"nvme0n1 system nvme 0.5; nvme[1-4]n1 data nvme 4"},
           count_ticks);
  AddHabit(sites, "system and data, busy by ticks", {"sda system flash 0.48; sdb data hdd 8"},
           count_ticks);
  AddHabit(sites, "NVMe in phases", {"nvme0n1 system nvme 0.5; nvme[1-4]n1 data nvme 4"},
           [](Site& site) { site.phases = true; });
  AddHabit(sites, "LVM of two disks",
           {"sda system hdd 2; sd[b-c] data hdd 8", "dm-0 dm sda /; dm-1 dm sdb+sdc /srv"},
           [](Site& site) { site.uneven = 0.2; });
  AddHabit(sites, "active and idle card",
           {"sda both flash 1", "", "eno1 1; eno2 0; bond0 bond eno1+eno2"},
           [](Site& site) { site.read = 0.5; });
  AddHabit(sites, "OVS",
           {"sda both flash 1", "",
            "ens1f0np0 1; ovs-system virtual; br-ex bridge ens1f0np0; br-int virtual; "
            "genev_sys_6081 virtual"},
           [](Site& site) { site.read = 0.5; });
  AddHabit(sites, "names of the operator's", {"sda both flash 1", "", "lan 0.02; storage 1"},
           [](Site& site) { site.read = 0.5; });
  const ServerText larger{"sda system flash 0.48; sd[b-c] data hdd 16"};
  const ServerText small{"sda system flash 0.48; sd[b-c] data hdd 8"};
  sites.push_back({.name = "one has larger disks",
                   .servers = {small, small, larger, small, small, small},
                   .by_size = true});
}

}  // namespace

std::vector<Site> Sites() {
  std::vector<Site> sites;
  AddDiskLayouts(sites);
  AddNetworkLayouts(sites);
  AddMixtures(sites);
  AddHabits(sites);
  AddMoreHabits(sites);
  return sites;
}

}  // namespace limpet::simulator
