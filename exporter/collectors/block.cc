#include "exporter/collectors/block.h"

#include <algorithm>
#include <utility>

#include "exporter/collectors/catalog/block.h"
#include "exporter/common/units.h"
#include "exporter/common/utf8.h"
#include "exporter/kernel/diskstats.h"

namespace limpet {
namespace {

constexpr std::array<std::string_view, kBlockOperations> kOperationLabels = {"read", "write",
                                                                             "flush", "discard"};
constexpr std::array<std::string_view, kBlockSizes> kSizeLabels = {"small", "large"};
constexpr std::array<std::string_view, kDepthClasses> kDepthLabels = {"1",  "2",  "4", "8",
                                                                      "16", "32", "64"};
constexpr std::array<std::string_view, kBlockDrops> kDropLabels = {"devices", "requests", "unseen"};

// 8.2 µs to 8.6 s, by powers of two: no device is faster, and what is slower hangs.
constexpr HistogramShape kTimes{.first_log2 = kFirstTimeBucketLog2,
                                .unit = 1 / kNanosecondsPerSecond,
                                .first = 3,
                                .last = kTimeBuckets - 3,
                                .step = 1};
constexpr HistogramShape kSizes{
    .first_log2 = kFirstSizeBucketLog2, .unit = 1, .first = 0, .last = kSizeBuckets - 2, .step = 1};

double Seconds(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / kNanosecondsPerSecond;
}

std::uint64_t Sum(std::span<const __u64> counts) {
  std::uint64_t sum = 0;
  for (const auto count : counts) {
    sum += count;
  }
  return sum;
}

// A cell is nothing but numbers to be added up, whatever each of them means.
constexpr std::size_t kNumbers = sizeof(BlockCell) / sizeof(__u64);
using Numbers = std::array<__u64, kNumbers>;
static_assert(sizeof(Numbers) == sizeof(BlockCell));

std::vector<std::uint64_t> Counts(std::span<const __u64> counts) {
  return {counts.begin(), counts.end()};
}

}  // namespace

constinit const CollectorModule kBlockCollector{
    .name = "block",
    .title = "Block requests, by eBPF",
    .metrics = catalog::kBlock,
    .configure = [](yaml::MapReader& settings) -> CollectorFactory {
      BlockOptions options;
      options.devices = ReadDeviceFilter(settings);
      constexpr std::int64_t kMaxDevices = 1024;
      if (const auto devices = settings.Integer("max_devices", 1, kMaxDevices)) {
        options.max_devices = static_cast<std::uint32_t>(*devices);
      }
      return [options](const CollectorInputs& in) {
        bpf::ProgramsPtr programs;
        if (in.bpf) {
          const auto loaded = in.bpf->Load(bpf::BlockRequest{options.max_devices});
          if (loaded) {
            programs = *loaded;
          } else {
            in.log(LogLevel::kWarning, "no block collector: " + loaded.error().Text());
          }
        }
        return MakeWithFilter<BlockCollector>(options, kDefaultDiskExclude, programs, in.Proc());
      };
    },
    .enabled_by_default = false};

BlockCollector::BlockCollector(const BlockOptions& options, DeviceFilter filter,
                               bpf::ProgramsPtr programs, std::unique_ptr<FileReader> proc)
    : filter_(std::move(filter)), programs_(std::move(programs)), proc_(std::move(proc)) {
  if (!programs_) {
    return;
  }
  // Those of the programs that run: a reload may have asked for others.
  const auto* const request = std::get_if<bpf::BlockRequest>(&programs_->request);
  places_ = request == nullptr ? options.max_devices : request->max_devices;
  rows_ = programs_->Array<BlockCell>("cells").size() / (places_ * kBlockOperations);
  devices_.resize(std::min(places_, programs_->Array<BlockDevice>("devices").size()));
  for (std::size_t i = 0; i < drop_labels_.size(); ++i) {
    drop_labels_[i] = MakeLabels({{"reason", std::string(kDropLabels[i])}});
  }
}

BlockCollector::Sums BlockCollector::AddUp(std::size_t place, std::size_t operation) const {
  const auto cells = programs_->Array<BlockCell>("cells");
  Numbers sums{};
  for (std::size_t row = 0; row < rows_; ++row) {
    const auto& cell = cells[(row * places_ + place) * kBlockOperations + operation];
    const auto* const numbers = reinterpret_cast<const __u64*>(&cell);  // NOLINT: all of them are
    for (std::size_t i = 0; i < kNumbers; ++i) {
      sums[i] += bpf::ReadShared(numbers[i]);
    }
  }
  const auto& before = devices_[place].before[operation];
  const auto* const gone = reinterpret_cast<const __u64*>(&before);  // NOLINT: as above
  for (std::size_t i = 0; i < kNumbers; ++i) {
    sums[i] -= gone[i];
  }
  Sums cell;
  std::copy_n(sums.begin(), kNumbers, reinterpret_cast<__u64*>(&cell));  // NOLINT: as above
  return cell;
}

void BlockCollector::NameDevice(Device& device) {
  const auto text = proc_->ReadOnce("diskstats");
  if (!text) {
    return;
  }
  for (const auto& line : ParseDiskstats(*text).lines) {
    if ((line.major << 20U | line.minor) == device.number) {
      device.name = Printable(line.name);
      device.shown = filter_.Shows(device.name);
    }
  }
  for (std::size_t i = 0; device.shown && i < kBlockOperations; ++i) {
    const LabelSet::Pairs pairs = {{"device", device.name},
                                   {"operation", std::string(kOperationLabels[i])}};
    device.operations[i] = {
        MakeHistogramLabels(pairs, kTimes), MakeHistogramLabels(pairs, kSizes), {}};
    for (std::size_t size = 0; size < kBlockSizes; ++size) {
      auto with_size = pairs;
      with_size.emplace_back("size", kSizeLabels[size]);
      device.operations[i].by_size[size] = MakeLabels(with_size);
    }
  }
  for (std::size_t i = 0; device.shown && i < kDepthClasses; ++i) {
    device.depths[i] =
        MakeLabels({{"device", device.name}, {"depth", std::string(kDepthLabels[i])}});
  }
}

// A place whose device is new, or another than it was.
void BlockCollector::Recognise(std::size_t place, const BlockDevice& kernel) {
  auto& device = devices_[place];
  const auto number = bpf::ReadShared(kernel.device);
  const auto generation = bpf::ReadShared(kernel.generation);
  if (device.number == number && device.generation == generation && !device.name.empty()) {
    return;
  }
  if (device.number != 0 && device.generation != generation) {
    // Another disk has the place now: its counters begin at 0, as those of diskstats do.
    Device fresh;
    for (std::size_t i = 0; i < kBlockOperations; ++i) {
      device.before[i] = {};
      fresh.before[i] = AddUp(place, i);
    }
    for (std::size_t i = 0; i < kDepthClasses; ++i) {
      fresh.depth_before[i] = Seconds(bpf::ReadShared(kernel.depth_ns[i]));
    }
    device = std::move(fresh);
  }
  device.number = number;
  device.generation = generation;
  NameDevice(device);
}

void BlockCollector::AddOperations(std::size_t place, std::array<Family, 7>& families) const {
  for (std::size_t i = 0; i < kBlockOperations; ++i) {
    const auto sums = AddUp(place, i);
    if (Sum(sums.device) == 0) {
      continue;
    }
    const auto& [times, sizes, by_size] = devices_[place].operations[i];
    AddHistogram(families[0], times, kTimes, Counts(sums.queue), Seconds(sums.queue_ns));
    AddHistogram(families[1], times, kTimes, Counts(sums.device), Seconds(sums.device_ns));
    AddHistogram(families[2], times, kTimes, Counts(sums.total), Seconds(sums.total_ns));
    AddHistogram(families[3], times, kTimes, Counts(sums.shallow), Seconds(sums.shallow_ns));
    AddHistogram(families[4], sizes, kSizes, Counts(sums.size), static_cast<double>(sums.bytes));
    if (i != kBlockRead && i != kBlockWrite) {
      continue;  // a flush has no size, and a discard's says nothing about its time
    }
    for (std::size_t size = 0; size < kBlockSizes; ++size) {
      families[5].samples.push_back({by_size[size], static_cast<double>(sums.sized[size])});
      families[6].samples.push_back({by_size[size], Seconds(sums.sized_ns[size])});
    }
  }
}

void BlockCollector::AddDepths(Device& device, const BlockDevice& kernel, const Tick& tick,
                               Family& family) const {
  const auto now = static_cast<std::uint64_t>(tick.steady.time_since_epoch().count());
  const auto changed = bpf::ReadShared(kernel.changed_ns);
  const auto depth = bpf::ReadShared(kernel.in_flight);
  std::size_t current = kDepthClasses;
  for (std::size_t i = 0; i < kDepthClasses; ++i) {
    if (depth >= (1U << i) && depth < (1U << 31U)) {
      current = i;
    }
  }
  for (std::size_t i = 0; i < kDepthClasses; ++i) {
    double seconds = Seconds(bpf::ReadShared(kernel.depth_ns[i])) - device.depth_before[i];
    // The kernel adds the time of a depth when it ends: a disk that hangs would show none.
    if (i == current && now > changed) {
      seconds += Seconds(now - changed);
    }
    device.depth_seconds[i] = std::max(device.depth_seconds[i], seconds);
    family.samples.push_back({device.depths[i], device.depth_seconds[i]});
  }
}

Result<Families> BlockCollector::Collect(const Tick& tick) {
  if (!programs_) {
    return Families();
  }
  std::array<Family, 7> operations = {
      Family{&catalog::kBlockQueueSeconds, {}},  Family{&catalog::kBlockDeviceSeconds, {}},
      Family{&catalog::kBlockTotalSeconds, {}},  Family{&catalog::kBlockShallowDeviceSeconds, {}},
      Family{&catalog::kBlockRequestBytes, {}},  Family{&catalog::kBlockRequests, {}},
      Family{&catalog::kBlockRequestSeconds, {}}};
  Family depths{.info = &catalog::kBlockInflightSeconds, .samples = {}};
  const auto kernel = programs_->Array<BlockDevice>("devices");
  for (std::size_t place = 0; place < devices_.size(); ++place) {
    if (bpf::ReadShared(kernel[place].device) == 0) {
      continue;
    }
    Recognise(place, kernel[place]);
    if (devices_[place].shown) {
      AddOperations(place, operations);
      AddDepths(devices_[place], kernel[place], tick, depths);
    }
  }
  Families families;
  for (auto& family : operations) {
    families.push_back(std::move(family));
  }
  families.push_back(std::move(depths));
  Family drops{.info = &catalog::kBlockDropped, .samples = {}};
  const auto dropped = programs_->Array<__u64>("drops");
  for (std::size_t i = 0; i < std::min(drop_labels_.size(), dropped.size()); ++i) {
    drops.samples.push_back({drop_labels_[i], static_cast<double>(bpf::ReadShared(dropped[i]))});
  }
  families.push_back(std::move(drops));
  std::erase_if(families, [](const Family& family) { return family.samples.empty(); });
  return families;
}

}  // namespace limpet
