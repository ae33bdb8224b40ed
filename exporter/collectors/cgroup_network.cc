#include "exporter/collectors/cgroup_network.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "exporter/common/utf8.h"

namespace limpet {
namespace {

// As of the walk over the disks: early enough for a hog to have its name in the first minute.
constexpr auto kSoon = std::chrono::seconds(10);
// Where there is no netlink, or a kernel before 5.9, which tells no control groups.
constexpr auto kRetry = std::chrono::minutes(10);
// Of kernel sockets and of programs outside any unit: names nobody.
constexpr std::string_view kRootGroup = "/";

bool NamesGroups(const TcpSockets& reading) {
  return std::any_of(reading.sockets.begin(), reading.sockets.end(),
                     [](const TcpSocket& socket) { return socket.cgroup != 0; });
}

}  // namespace

std::optional<std::vector<CgroupTraffic>> CgroupTrafficSums::Update(const TcpSockets& reading,
                                                                    SteadyTime now) {
  const auto span = at_ ? now - *at_ : Duration::zero();
  std::map<std::uint64_t, CgroupTraffic> sums;
  std::vector<Known> seen;
  seen.reserve(reading.sockets.size());
  for (const auto& socket : reading.sockets) {
    if (!socket.details || socket.cgroup == 0) {
      continue;
    }
    const auto& details = *socket.details;
    seen.push_back({socket.id, details.bytes_received, details.bytes_acked});
    const auto known = std::lower_bound(known_.begin(), known_.end(), socket.id,
                                        [](const Known& one, auto id) { return one.id < id; });
    const bool is_known = known != known_.end() && known->id == socket.id;
    const auto rise = [&](std::uint64_t bytes, std::uint64_t Known::*of) {
      const auto before = is_known ? *known.*of : 0;
      return static_cast<double>(bytes - std::min(before, bytes));
    };
    auto& sum = sums[socket.cgroup];
    sum.cgroup = socket.cgroup;
    sum.received += rise(details.bytes_received, &Known::received);
    sum.sent += rise(details.bytes_acked, &Known::sent);
  }
  std::sort(seen.begin(), seen.end(), [](const Known& a, const Known& b) { return a.id < b.id; });
  known_ = std::move(seen);
  // Connections that were left out would begin at 0 when they are seen the next time.
  at_ = reading.dropped == 0 ? std::optional(now) : std::nullopt;
  if (span <= Duration::zero()) {
    return std::nullopt;
  }
  std::vector<CgroupTraffic> traffic;
  for (const auto& entry : sums) {
    const auto& sum = entry.second;
    traffic.push_back({sum.cgroup, sum.received / ToSeconds(span), sum.sent / ToSeconds(span)});
  }
  return traffic;
}

CgroupNetwork::CgroupNetwork(const CgroupNetworkOptions& options, Open open,
                             CgroupFolderProbe probe)
    : options_(options), open_(std::move(open)), names_(std::move(probe)) {}

const Families& CgroupNetwork::Read(FileReader& sys, SteadyTime now) {
  const auto source = open_();
  const auto reading = source->Read();
  if (!reading || !reading->detailed || !NamesGroups(*reading->sockets)) {
    next_ = now + kRetry;
    families_.clear();
    return families_;
  }
  auto traffic = sums_.Update(*reading->sockets, now);
  const bool hurry = !had_rates_ && !traffic;
  const auto rest = options_.cpu_share > 0
                        ? Duration(static_cast<std::int64_t>(
                              static_cast<double>(reading->cost.count()) / options_.cpu_share))
                        : Duration::zero();
  next_ =
      now + std::max(rest, hurry ? std::min<Duration>(kSoon, options_.refresh) : options_.refresh);
  had_rates_ = traffic.has_value();
  families_ = traffic ? Keep(Render(sys, *std::move(traffic), now)) : Families();
  return families_;
}

Families CgroupNetwork::Render(FileReader& sys, std::vector<CgroupTraffic> traffic,
                               SteadyTime now) {
  const auto groups = traffic.size();
  std::erase_if(traffic,
                [&](const CgroupTraffic& one) { return one.received + one.sent < options_.busy; });
  std::sort(traffic.begin(), traffic.end(), [](const CgroupTraffic& a, const CgroupTraffic& b) {
    return a.received + a.sent > b.received + b.sent;
  });
  traffic.resize(std::min(traffic.size(), options_.shown));
  std::set<std::uint64_t> numbers;
  for (const auto& one : traffic) {
    numbers.insert(one.cgroup);
  }
  const auto& names = names_.Find(sys, numbers, now);
  Family received{.info = &catalog::kCgroupTcpReceive, .samples = {}};
  Family sent{.info = &catalog::kCgroupTcpTransmit, .samples = {}};
  for (const auto& one : traffic) {
    const auto name = names.find(one.cgroup);
    if (name == names.end() || name->second == kRootGroup) {
      continue;
    }
    const auto labels = MakeLabels({{"cgroup", Printable(name->second)}});
    received.samples.push_back({labels, one.received});
    sent.samples.push_back({labels, one.sent});
  }
  const auto shown = static_cast<double>(sent.samples.size());
  Families families;
  if (!sent.samples.empty()) {
    families.push_back(std::move(received));
    families.push_back(std::move(sent));
  }
  families.push_back(
      {.info = &catalog::kCgroupTcpGroups,
       .samples = {{MakeLabels({{"state", "shown"}}), shown},
                   {MakeLabels({{"state", "rest"}}), static_cast<double>(groups) - shown}}});
  return families;
}

}  // namespace limpet
